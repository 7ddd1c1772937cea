<?php
// Router of php -S: logs each request, answers scripted faults, and stands in for two services that
// a MediaWiki of its own lacks (page views and Wikidata). Everything else is the real wiki.
$run = getenv( 'WIKI_RUN' );
$path = parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
$service = preg_match( '~^/(w/api\.php|api/rest_v1/|wikidata/api\.php)~', $path );
if ( $service && !isset( $_GET['nolog'] ) ) {
	$id = uniqid( '', true );
	$log = static function ( array $record ) use ( $run ) {
		file_put_contents( "$run/requests.jsonl", json_encode( $record ) . "\n", FILE_APPEND | LOCK_EX );
	};
	$log( [ 'id' => $id, 'start' => microtime( true ), 'method' => $_SERVER['REQUEST_METHOD'], 'path' => $path,
		'parameters' => (object)( $_GET + $_POST ), 'encoding' => $_SERVER['HTTP_ACCEPT_ENCODING'] ?? '',
		'agent' => $_SERVER['HTTP_USER_AGENT'] ?? '' ] );
	register_shutdown_function( static function () use ( $log, $id ) {
		$log( [ 'id' => $id, 'end' => microtime( true ), 'status' => http_response_code() ] );
	} );
	$handle = @fopen( "$run/faults.json", 'r+' );
	if ( $handle && flock( $handle, LOCK_EX ) ) {
		$faults = json_decode( stream_get_contents( $handle ), true ) ?: [];
		$fault = null;
		if ( $faults && ( $faults[0]['after'] ?? 0 ) > 0 ) {
			$faults[0]['after']--;
		} elseif ( $faults ) {
			$fault = $faults[0];
			$faults[0]['times'] = ( $fault['times'] ?? 1 ) - 1;
			if ( $faults[0]['times'] <= 0 ) {
				array_shift( $faults );
			}
		}
		rewind( $handle );
		ftruncate( $handle, 0 );
		fwrite( $handle, json_encode( $faults ) );
		fclose( $handle );
		if ( isset( $fault['real'] ) ) {
			$_GET = $fault['real'] + $_GET;
			$_REQUEST = $fault['real'] + $_REQUEST;
			$_SERVER['QUERY_STRING'] = http_build_query( $_GET );
		} elseif ( $fault ) {
			http_response_code( $fault['status'] );
			foreach ( $fault['headers'] ?? [] as $name => $value ) {
				header( "$name: $value" );
			}
			echo $fault['body'] ?? '';
			return true;
		}
	}
}
if ( preg_match( '~^/api/rest_v1/metrics/pageviews/per-article/([^/]+)/([^/]+)/([^/]+)/([^/]+)/monthly/(\d{10})/(\d{10})$~', $path, $m ) ) {
	header( 'Content-Type: application/json; charset=utf-8' );
	$views = json_decode( @file_get_contents( "$run/pageviews.json" ) ?: '{}', true );
	$title = rawurldecode( $m[4] );
	if ( !isset( $views[$title] ) ) {
		http_response_code( 404 );
		echo json_encode( [ 'status' => 404, 'title' => 'Not Found', 'detail' => 'no data' ] );
		return true;
	}
	$items = [];
	for ( $month = substr( $m[5], 0, 6 ); $month <= substr( $m[6], 0, 6 ); ) {
		$items[] = [ 'project' => $m[1], 'article' => $title, 'granularity' => 'monthly',
			'timestamp' => "{$month}0100", 'access' => $m[2], 'agent' => $m[3], 'views' => $views[$title] ];
		$month = date( 'Ym', strtotime( "{$month}01 +1 month" ) );
	}
	echo json_encode( [ 'items' => $items ] );
	return true;
}
if ( $path === '/wikidata/api.php' ) {
	header( 'Content-Type: application/json; charset=utf-8' );
	$instances = json_decode( @file_get_contents( "$run/wikidata.json" ) ?: '{}', true );
	$entities = [];
	foreach ( explode( '|', $_GET['ids'] ?? '' ) as $item ) {
		$claim = static fn ( $of ) => [ 'mainsnak' => [ 'datavalue' => [ 'value' => [ 'id' => $of ] ] ], 'rank' => 'normal' ];
		$entities[$item] = isset( $instances[$item] ) ? [ 'claims' => [ 'P31' => [ $claim( $instances[$item] ) ] ] ] : [ 'missing' => '' ];
	}
	echo json_encode( [ 'entities' => $entities ] );
	return true;
}
if ( $path === '/w/api.php' ) {
	// included here, not by the server, so that the log has the end of each answer
	$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/w/api.php';
	$_SERVER['SCRIPT_FILENAME'] = $_SERVER['DOCUMENT_ROOT'] . '/w/api.php';
	chdir( $_SERVER['DOCUMENT_ROOT'] . '/w' );
	require $_SERVER['DOCUMENT_ROOT'] . '/w/api.php';
	return true;
}
if ( preg_match( '~^/wiki/(.+)$~', $path, $m ) ) {
	$_GET['title'] = rawurldecode( $m[1] );
	$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/w/index.php';
	chdir( $_SERVER['DOCUMENT_ROOT'] . '/w' );
	require $_SERVER['DOCUMENT_ROOT'] . '/w/index.php';
	return true;
}
return false;
