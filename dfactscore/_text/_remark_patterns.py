"""Patterns for sentences that say nothing about the person, used by `remarks`."""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


QUOTED = re.compile(r"[\"“][^\"“”]{1,200}[\"”]|(?<!\w)'[^']{1,200}'(?!\w)")
_NOT = r"(?:not|n['’]t|never)"
_GIVEN = (
    r"(?:(?:provided|given|available|retrieved|above|following|search|first|second|third|fourth|"
    r"fifth|last|other|remaining|same|supplied)\s+)*"
)
# The passages given to the writer. Other sources are named without such a determiner.
_SOURCES = (
    rf"(?:the|these|those|this|that|your|my|any|all|both|none|some|most|each|of|provided|given)\s+"
    rf"(?:of\s+)?(?:the\s+|these\s+|those\s+)?{_GIVEN}(?:documents?|passages?|sources?|texts?|"
    rf"search\s+results?|results?|search(?:es)?|query|context|excerpts?|snippets?|articles?|information|data|database|"
    rf"training\s+data|references)(?:\s+(?:provided|given|above|below|that\s+(?:I|you)\s+\w+|\[?\d+\]?))?"
)
_NUMBERED = r"(?:the\s+)?(?:document|passage|source|result|article)s?\s+\[?\d+\]?"
# Ways to open a sentence: "Unfortunately, based on the passages,"
_INTRO = (
    r"(?:[^,;:.]{1,60}:\s+(?=no\b|not\b|there\b))?(?:(?:i|we)(?:['’](?:m|re)|\s+am|\s+are)?\s+(?:\w+\s+)?(?:sorry|afraid|apologi[sz]e|"
    r"regret)(?:\s+(?:for|about)\s+[^,.;]{0,60})?,?\s+but\s+)?"
    r"(?:(?:however|but|and|so|also|therefore|thus|hence|unfortunately|regrettably|sadly|still|yet|"
    r"additionally|furthermore|moreover|overall|currently|sorry|apologies|well|as\s+such|"
    r"it\s+(?:seems|appears|looks\s+like|would\s+seem)(?:\s+that)?(?=\s)|at\s+(?:this|the|present)(?:\s+(?:time|moment))?|to\s+(?:the\s+best\s+of\s+)?my\s+knowledge|"
    r"to\s+(?:clarify|be\s+clear|be\s+honest|answer\s+your\s+question)|"
    r"(?:based\s+(?:up)?on|according\s+to|given|from|in|after|as\s+of|as|without|for|beyond|"
    r"despite|(?:al)?though|while|since|because|with|within|among)\b[^,.;:]{0,90})(?:,\s+|\s+(?=(?:i|we|there|no|none|nothing)\b)))*"
)
_ABOUT = (
    r"(?:information|details?|data|records?|mention|sources?|results?|documentation|knowledge|"
    r"accounts?|biograph\w+|references?|facts?|context)"
)
# Details that a biography may contain
_DETAILS = (
    r"(?:information|details?|dates?|years?|place|places|birthplace|birthdate|birthday|causes?|"
    r"births?|deaths?|age|identity|whereabouts|education|parents|parentage|nationality|background|"
    r"origins?|early\s+life|later\s+life|personal\s+life|family|circumstances|reasons?|"
    r"marital\s+status|net\s+worth|specifics|records?)"
)
_BE = (
    r"(?:is|are|was|were|remains?|has(?:\s+been)?|have(?:\s+been)?)"
    r"(?:\s+(?:currently|still|also|yet|\w+ly))?"
)
_ASKED = r"(?:who|what|when|where|why|how|which|whether|if|exactly|from|precisely|$)"
_LACKING = (
    r"(?:unknown|unclear|uncertain|unavailable|undisclosed|unspecified|undocumented|unrecorded|"
    r"scarce|limited|sparse|scant|lacking|missing|obscure|hard\s+to\s+find|needed|required)"
)
_TOLD = (
    r"(?:mentioned|specified|stated|disclosed|known|available|provided|recorded|documented|publicly|"
    r"clear|certain|revealed|confirmed|reported)"
)
_GENERAL = r"(?:information|details?|data|context|specifics)"
_SUBORDINATE = (
    r"^(?:(?:unfortunately|regrettably|sadly|however|also|still|moreover|additionally),\s+)?"
    r"(?!(?:al)?though\b|while\b|even\b|since\b|because\b|as\b)"
)
_FIRST_PERSON = r"(?-i:I|We|we)(?:['’](?:m|ve|d|ll|re)\b|\s+(?-i:[a-z])\w*)"
MISSING = _any(
    # About the writer: "I could not find"
    rf"{_INTRO}(?-i:I|We|we)(?:\s+\w+)?\s+(?:can(?:no|['’])?t|cannot|(?:could|can|do|did|was|were|am|"
    rf"are|have|had|would|will)\s*{_NOT}|lack|(?:have|had|found|find|see|know)\s+(?:no|nothing|little)|"
    r"(?:was|were|am|are)\s+(?:unable|unfamiliar|unaware))\b",
    rf"{_INTRO}(?-i:I|We)['’](?:m|re|ve)\s+(?:\w+\s+){{0,2}}(?:not\b|unable|unaware|unfamiliar|sorry|afraid|found\s+no)",
    rf"{_INTRO}(?-i:I\s+am|we\s+are)\s+(?:\w+\s+)?(?:sorry|afraid)\b",
    r"^(?:sorry|apologies|my\s+apologies)\b(?=.*\b(?:not|no|can['’]?t|n['’]t|unable)\b)",
    rf"{_INTRO}my\s+(?:\w+\s+)?(?:knowledge|data|database|information|training|records|sources)\b.*"
    rf"(?:{_NOT}\b|\bno\b|\blacks?\b|\blimited\b|\bnothing\b)",
    rf"^[^,;:]{{1,80}}\b(?:is|are|was)\s*{_NOT}\s+(?:some(?:one|body)|a\s+(?:\w+\s+)?"
    r"(?:person|individual|name|figure))\s+(?:that\s+|who(?:m)?\s+)?(?-i:I|we)\b",
    # About the sources: "The passages do not mention"
    rf"{_INTRO}(?:{_SOURCES}|{_NUMBERED}|no\s+{_GIVEN}(?:documents?|passages?|sources?|"
    rf"results?)|none\s+of\s+(?:them|these|those))\s+(?:\w+\s+)?(?:(?:do(?:es)?|did|can|could)\s*{_NOT}\s+"
    rf"(?:\w+\s+){{0,2}}(?:contain|mention|provide|include|offer|give|have|say|refer|describe|"
    r"discuss|specify|state|tell|cover|return|yield|produce|turn\s+up|show|indicate|identify|address|list|reveal)\b|"
    r"(?:contain|mention|provide|include|offer|give|have|say|lack)s?\s+(?:no|nothing|little|"
    rf"insufficient|limited|only\s+limited)\b|lacks?\b|{_BE}\s*(?:silent|{_NOT}\s+about)\b)"
    r"",
    rf"{_INTRO}no\s+(?:\w+\s+)?(?:documents?|passages?|sources?|results?|records?|texts?)\s+(?:states?|says?|mentions?|tells?|gives?|"
    r"describes?|shows?|names?|contains?|provides?|confirms?|indicates?|survives?|exists?)\b",
    r"[^,;:]{1,80}\b(?:is|are|was)\s+(?:unknown|unfamiliar|new)\s+to\s+(?:me|us)\b|[^,;:]{1,80}\bring\s+(?:a|any)\s+bells?\b",
    r"[^,;:]{1,60}\b(?:is|are|was|were|remains?)\s+(?:poorly|sparsely|little|barely|scarcely|hardly|not\s+well|only\s+sparsely)\s+"
    r"(?:documented|recorded|attested)\b",
    rf"{_INTRO}there\s+(?:is|are|was|were)\s+(?:no|nothing|not\s+any)\b[^,;]{{0,60}}\b(?:in|among|within)\s+{_SOURCES}",
    rf"{_INTRO}none\s+of\s+(?:{_SOURCES}|(?:them|these|those)\s+(?:(?:is|are|was|were)\s+about|"
    r"contains?|mentions?|describes?|provides?|refers?)\b)",
    rf"[^;]{{0,120}}?\bnot\s+(?:be\s+)?(?:mentioned|found|included|listed|described|discussed|named|covered)\s+"
    rf"(?:anywhere\s+)?in\s+(?:any\s+of\s+)?{_SOURCES}",
    rf"[^;]{{0,120}}?\b(?:do(?:es)?|did)\s*{_NOT}\s+(?:\w+\s+)?(?:appear|seem|exist|show\s+up|feature|occur)\b"
    rf"[^.]{{0,30}}\b(?:in|within|among)\s+{_SOURCES}",
    # Impersonal: "There is no information", "No details are available"
    rf"{_INTRO}there\s+(?:(?:is|are|was|were|exists?|(?:seems?|appears?)\s+to\s+be)\s+(?:\w+ly\s+|"
    rf"also\s+|only\s+|very\s+|still\s+)*(?:no|not\s+(?:\w+\s+)?(?:much|enough|any|a\s+lot)|little|limited|"
    rf"few|insufficient|scant|minimal)|(?:is|are|do(?:es)?)\s*{_NOT}(?:\s+(?:seem|appear)\s+to\s+be)?"
    rf"(?:\s+\w+)?\s+(?:any|much|enough|a\s+lot(?:\s+of)?|sufficient))\b[^.;]{{0,60}}?\b{_ABOUT}\b"
    r"(?!\s+(?:that|were|was|set|broken)\b)",
    rf"{_INTRO}(?:there\s+(?:is|was)\s+)?(?:no|insufficient|limited|not\s+enough|(?:very\s+|relatively\s+)?little(?:\s+to\s+no)?)\s+(?:\w+\s+){{0,3}}"
    rf"{_ABOUT}\s+(?:(?:\w+\s+){{0,12}}(?:found|available|provided|given|exists?|known)\b|"
    r"(?:about|on|regarding|concerning|for)\b|$)",
    rf"{_INTRO}no\s*(?:one|body)\s+(?:named|called|by|of|with)\b[^,;]*\b(?:known|found|mentioned|listed)\b",
    rf"{_INTRO}(?:(?:very|relatively|so|too)\s+)?(?:little|not\s+much|nothing|not\s+a\s+lot|hardly\s+"
    r"anything|almost\s+nothing|nothing\s+much)\s+(?:(?:else|more|further|specific|certain)\s+)?"
    r"(?:(?:is|was|has\s+been|can\s+be)\s+(?:\w+\s+)?(?:known(?!\s+(?:as|for)\b)|"
    r"(?:said|recorded|documented|found|written|reported|revealed|disclosed|available)\s+(?:about|of|on|"
    r"regarding))|about\b.*\bis\s+(?:\w+\s+)?known)\b",
    rf"{_INTRO}it(?:\s+is|\s+was|\s+remains|['’]s)\s+(?:\w+ly\s+|also\s+|still\s+)?(?:(?:un(?:clear|known|certain))|"
    rf"not\s+(?:\w+\s+)?(?:clear|known|stated|mentioned|specified|certain|recorded|documented))\b"
    rf"(?:\s+\w+){{0,6}}?\s*{_ASKED}",
    r"(?:it(?:\s+is|['’]s)\s+(?:also\s+)?(?:possible|likely)\s+that|perhaps|maybe)\b[^.]*\b(?:private|public|fictional|misspell\w+|"
    r"misspelt|lesser-known|local|less\s+known|not\s+(?:a\s+)?(?:widely|well)[\s-]known|incomplete|incorrect)\b",
    rf"{_INTRO}it(?:\s+is|\s+was|['’]s)\s+(?:not\s+possible|impossible|difficult|hard)\s+(?:for\s+me\s+)?to\s+"
    r"(?:write|provide|give|create|compose|determine|say|tell|verify|confirm|identify|know|find)\b",
    rf"{_SUBORDINATE}[^,.;—–]{{0,60}}\b{_DETAILS}\b[^,.;—–]{{0,40}}?\b{_BE}\s*(?:{_NOT}\s+(?:been\s+)?(?:\w+\s+)?"
    rf"{_TOLD}|{_LACKING})\b",
    rf"^(?:any\s+|no\s+)?(?:more|further|additional|other|specific|exact|any)\s+(?:\w+\s+)?"
    rf"{_GENERAL}\b[^,;]{{0,60}}\b(?:can(?:not|['’]t)|could\s*{_NOT}|would|{_BE}\s*{_NOT})\b",
    r"^(?:further|more|additional)\s+(?:research|information|details|context)\s+"
    r"(?:is|are|would\s+be|may\s+be)\s+(?:needed|required|necessary|helpful)",
    rf"{_SUBORDINATE}[^,.;—–]{{0,60}}\b(?:dates?|places?|details?|information|cause|identity)\b[^,.;]{{0,30}}\b"
    rf"{_BE}\s*{_NOT}\s+(?:been\s+)?(?:given|found|listed|included|established)\W*$",
    rf"^no\s+{_DETAILS}\b[^,.;]{{0,40}}\b(?:is|are|was|were)\s+(?:\w+\s+)?(?:given|found|listed|"
    r"available|provided|known|mentioned|specified|stated)\b",
    r"(?:unable\s+to\s+(?:find|locate|provide|write|answer|generate|create)\b|"
    r"(?:not\s+enough|insufficient)\s+context\b|(?:n/?a|none|unknown)\W*$)",
)
# Every match of `MISSING` contains one of these in lower case, or the words that `remarks` looks
# for; they are searched for first, since the pattern is slow.
MISSING_CUES = (
    *("not", "n't", "n’t", "cant", "never", "none", "nobody", "noone", "lack", "little", "few"),
    *("unable", "unaware", "unfamiliar", "unclear", "unknown", "uncertain", "unavailable"),
    *("undisclosed", "unspecified", "undocumented", "unrecorded", "silent", "limited"),
    *("insufficient", "minimal", "scant", "scarce", "sparse", "missing", "obscure", "hard"),
    *("barely", "poorly", "needed", "required", "necessary", "helpful", "would", "sorry", "afraid"),
    *("apolog", "possible", "likely", "perhaps", "maybe", "difficult", "bell", "n/a"),
)
# ", but he was a consul": here the sentence also states a fact
BUT_STATES = re.compile(
    rf"[,;]\s+(?:but|although|though|however|yet)\b,?\s+(?!(?:i|we|you|it|there|no|none|please|if|"
    rf"could|can|{_SOURCES}|(?:s?he|they|this)\s+(?:may|might|could|(?:is|was|are|were)\s+not|"
    r"do(?:es)?))\b)|\bnot\s+only\b",
    re.IGNORECASE,
)
SPEECH = re.compile(r"[,?!][\"”’]?\s+(?:s?he\s+)?(?:said|says|wrote|recalled|told|explained)\b")
PRESENTS = re.compile(  # "we also have Ann Lee, a poet"
    r"(?:have|find|found|see|meet|come|encounter|turn|move|look|know|get|reach)\b.*"
    r"(?:(?-i:[A-Z])\w+.*(?:,|\bwho\b|\ba\b|\ban\b)|\bthat\b)",
    re.IGNORECASE,
)
WRITER = _any(
    rf"{_INTRO}{_FIRST_PERSON}",
    rf"{_INTRO}(?-i:My|my|Our)\s+(?-i:[a-z])",
    r"as\s+(?:an?\s+)?(?:ai\b|artificial|(?:large\s+)?language\s+model|chatbot|assistant\b)[^,]*,\s+"
    rf"(?:{_FIRST_PERSON}|my\b|it\b)",
    r"(?:please\s+)?(?:excuse|forgive|pardon)\s+(?:me|my|any)\b",
    r"(?:that|this|these|it|which)(?:\s+(?:is|are|was)|['’]s)\s+(?:all|everything|what|as\s+much\s+as)\b[^.,]{0,40}"
    r"\b(?-i:I|we)\b",
    r"(?:that|this|the\s+name|it)\s+(?:\w+\s+)?(?:seems?|looks?|appears?)\s+to\s+me\b",
)
TALK = _any(
    r"[(\[]?(?:word|character|token)\s+count\s*[:=]?\s*(?:is\s+)?~?\d+(?:\s+words)?[)\].]*$|[(\[]\s*\d+\s+words\s*[)\]]$",
    r"(?:sure|certainly|of\s+course|absolutely|hi|hello|hey|greetings|okay|ok|alright|all\s+right|great|"
    r"no\s+problem|sounds\s+good|got\s+it|understood|yes|no|yeah|nope|right|exactly|indeed|correct|"
    r"good\s+(?:luck|day|morning|evening)|goodbye|bye|cheers|enjoy|done|sorry)\b"
    r"[!,. ]*(?:there|thing)?[!,. ]*$",
    r"(?:sure|certainly|of\s+course|absolutely|okay|ok|alright)[!,. ]+(?:here|below|let|i|thing)\b",
    r"(?:(?:here|below|following)\s+(?:is|are)|here['’]s)\b(?!\s+where\b)|(?:below|above|here),?\s+(?:you|we|(?-i:I))\b",
    rf"{_INTRO}(?-i:I|We)(?:['’]m|['’]d|\s+am|\s+would|\s+will|['’]ll)?\s+(?:be\s+)?(?:\w+\s+)?"
    r"(?:happy|glad|delighted|here\s+to|hope|love\s+to|pleased)\b",
    r"(?:so\s+)?(?:happy|glad|pleased|delighted)\s+(?:to\s+(?:help|assist|answer)|you\s+asked)\b",
    r"(?:i\s+)?hope\s+(?:this|that|it|you)\b",
    r"(?:(?:that|it|this)(?:\s+is|['’]s)|what|such)\s+an?\s+(?:\w+\s+)?(?:fun|good|great|interesting|"
    r"excellent|wonderful|fascinating|nice)\s+(?:question|request|topic|one)\b",
    r"(?:great|good|excellent|interesting)\s+(?:question|choice|topic)\b",
    r"(?:many\s+)?thanks\b(?!\s+to\b)|thank\s+you\b(?!\s+(?-i:[A-Z]))|you(?:['’]re|\s+are)\s+welcome\b|"
    r"welcome\b(?=\W*$|\s+to\s+(?:this|the\s+(?:world|life|story))|!)|have\s+a\s+(?:\w+\s+)?"
    r"(?:day|time|evening|weekend)\b",
    r"(?:[^.]*,\s+)?it(?:\s+is|['’]s)\s+(?:also\s+)?(?:interesting|important|worth)\s+(?:to\s+note|noting)$",
    r"what\s+an?\s+\w+(?:\s+\w+){0,3}$|isn['’]t\s+that\b|stay\s+tuned\b|happy\s+(?:reading|learning)\b",
)
# Verbs that open a request; verbs whose past tense has the same form ("Set the record") are omitted
_ORDERS = (
    r"(?-i:Take|Ask|Look|Find|Explore|Discover|Consult|Use|Search|Browse|Watch|Listen|Compare|Keep|Make|Try|"
    r"Start|Give|Go|Enjoy|Share|Write|Send|Contact|Email|Check|Verify|Confirm|See|View|Consider|Imagine|Think|"
    r"Picture|Suppose|Wait|Click|Scroll|Visit|Refer|Turn|Choose|Pick|Select|Provide|Specify|Tell|Show|Add|Avoid|"
    r"Beware|Remember|Stay|Join|Follow|Help|Learn|Spread|Subscribe|Like|Comment)"
)
READER = _any(
    r"(?:(?:however|but|and|so|also)\s*,?\s+)?(?:you(?:['’](?:re|ve|d|ll))?|your|yourself)\s+(?-i:[a-z])",
    r"(?:if|should|when(?:ever)?|in\s+case)\s+you(?:['’]\w+)?\b(?=.*\b(?:let|ask|please|feel\s+free|me|i|"
    r"we|us|just|further|check|see|visit|consult|look|find\s+(?:him|her|it|more))\b)",
    r"if\s[^.;]{0,60}\byou\b[^.;,]{0,40},\s+(?:please|let|just|feel)\b",
    r"(?:please|kindly)\b(?!\s+(?:note|keep|remember|be\s+aware)\b.*\bthat\s+(?:he|she|his|her|they|(?-i:[A-Z])))"
    r"(?=\s+(?-i:[a-z]))",
    r"(?:just\s+|simply\s+|also\s+|always\s+|you\s+may\s+)?(?:let\s+me\b|let\s+us\s+know|feel\s+free|"
    r"do\s*n['’]t\s+(?:hesitate|forget|worry|miss)|do\s+not\s+(?:hesitate|forget|worry)|"
    r"(?:be\s+sure|make\s+sure|remember|try|take\s+care)\s+(?:to|that\s+you)\b|bear\s+with\b|"
    r"check\s+out\b|double-check\b|click\b|consult\s+(?:the|a|an|his|her|other|official|more|reliable)\b|"
    r"refer\s+to\s+(?:the|his|her|other|more)\b|see\s+(?:also\b|the\s+\w+\s+(?:below|above)|his|her|"
    r"below|above|(?:the\s+)?(?:document|passage|source|full)\w*)|"
    r"read\s+(?:more|on\b|about|the\s+(?:full|following))|learn\s+more|find\s+out|"
    r"visit\s+(?:his|her|their|the|our|my|this|www|http)|contact\s+(?:his|her|the|us|me)\b|"
    r"ask\s+(?:me|away|if|for)\b|tell\s+me\b|stay\s+tuned|note\s*:|disclaimer\b|warning\s*:|"
    r"follow\s+(?:him|her|us|me|this|the\s+link)|keep\s+in\s+mind(?!\s+that\b)|imagine\s+(?:a|that|if|you)|"
    r"consider\s+(?:checking|reading|visiting|that\s+you)|verify\b|look\s+(?:up|for|into)\s+(?-i:[a-z]))",
    r"(?:(?-i:Try|Consider|Avoid|Start|Keep)\s+[a-z]+ing\b(?!\s+(?:is|was)\b)|"
    r"be\s+(?:(?:careful|sure|certain|warned|wary|mindful)\s+(?:not\s+)?(?:to|of)|aware\s+of)\b)",
    rf"{_ORDERS}\s+(?-i:a|an|the|his|her|our|your|this|that|these|those|more|at|up|out|into|for|in|to|with|him|them|me|us|if|about|on|"
    r"through|over|back|yourself|any|some|other|all|it)\b|(?:do\s*n['’]t|do\s+not|never)\s+(?-i:[a-z])",
    r"for\s+(?:more|further|additional|other|the\s+latest|up-to-date|a\s+complete)\s+[^,.;]{0,60},?\s+"
    r"(?:please\b|see\b|visit\b|consult\b|refer\b|check\b|contact\b|read\b|you\b|go\s+to)",
    r"(?:can|could|would|will|do|did|are|have|would)\s+you\b",
    r"(?:note|please\s+note|be\s+aware|please\s+be\s+aware|keep\s+in\s+mind)\s+that\s+(?:this|these|"
    r"the\s+(?:above|information|answer|text|passages?|documents?|sources?)|i\b|we\b|some\b|there\b|you)",
    r"[^,.;]{0,60}\b(?:for\s+me\s+to|you\s+(?:mean|are\s+(?:referring|looking|asking|thinking))|"
    r"please\s+(?:provide|specify|let\s+me|clarify)|if\s+you\s+have\s+any)\b",
)
ABOUT_SOURCES = _any(
    r"(?:all\s+(?:of\s+)?)?the\s+above\s+(?:only\s+)?(?:covers?|reflects?|comes?|draws?|summari[sz]es?|rests?)\b",
    r"what\s+(?:follows|you\s+find\s+below|I\s+have\s+written)\s+(?:is|was|comes|has\s+been|rests)\b",
    rf"{_INTRO}(?:{_SOURCES}|{_NUMBERED}|(?:documents|passages|sources|search\s+results|results))\s+"
    r"(?:(?:also|all|both|mostly|mainly|only)\s+)?(?:(?:(?:seem|appear)s?\s+to\s+)?(?:conflict|contradict|disagree|"
    r"differ|overlap|vary)\w*|(?:seem|appear)s?\s+to\s+(?:be|refer|describe|concern|discuss|mention|"
    r"talk)\b[^,;]*$|(?:is|are|was|were)\s+(?:not\s+)?(?:also\s+|very\s+|rather\s+|quite\s+|\w+ly\s+)?"
    r"(?:relevant|irrelevant|reliable|unreliable|limited|unrelated|outdated|incomplete|"
    r"contradictory|conflicting|inconsistent|based|taken|drawn|provided|accurate|up\s+to\s+date|"
    r"correct|incorrect|about\s+(?:(?:a|an)\s+)?(?:\w+\s+)?(?:different|other|another|others|"
    r"some(?:one|body))|(?:all\s+|only\s+|mainly\s+)?about\b[^,:;]*$)|comes?\s+from|came\s+from|"
    r"refers?\s+to\s+(?:different|other|several|multiple|two|another|someone)\b[^,;]*$|"
    r"(?:may|might|could)\s+(?:not\s+)?(?:be|contain|refer|include|have)\b[^,;]*$|"
    r"(?:covers?|concerns?|deals?\s+with|discuss(?:es)?|describes?|mentions?|refers?\s+to)\s+(?:an?\s+)?"
    r"(?:different|other|another|unrelated)\b[^,;]*$)",
    r"(?:the\s+)?(?:documents?|passages?|sources?|search\s+results?|results?)(?:\s+\[?\d+\]?)?\s+"
    r"(?:discuss\w*|mentions?|describes?|talks?\s+about|refers?\s+to|contains?|provides?|is\s+about)\b"
    r"(?![^.]*(?:,|\swho\s|\sborn\s|\sas\s+an?\s))",
    r"(?:this|the\s+above|the\s+following|the)\s+(?:\w+\s+)?(?:biography|bio|summary|answer|response|overview|"
    r"text|profile|description|account|list)\s+(?:above\s+|below\s+)?(?:(?:is|was|has\s+been)\s+(?:\w+ly\s+)?(?:based|not|"
    r"meant|intended|limited|generated|compiled|written\s+(?:based|using|from)|created|incomplete|"
    r"only|an?\s+(?:brief|short|summary|overview|concise))|(?:may|might|could|should)\s+(?:not\s+)?"
    r"(?:be|contain|include|have)|does\s+not|do\s+not|provides?\s+an?|aims\s+to|combines|focuses\s+on)\b",
    r"[^,;]{0,80}\b(?:appears?|mentioned|found|described|listed)\s+in\s+(?:the\s+)?(?:\w+\s+)?search\s+results\W*$",
    r"[^,;:]{1,60}:?\s+no\s+(?:\w+\s+)?information\s+found\b",
    r"(?:all|the)\s+(?:of\s+the\s+)?(?:above\s+)?(?:information|facts|details|statements)\s+(?:above\s+|"
    r"here\s+|given\s+|provided\s+)?(?:is|are|was|were|comes?|came)\s+(?:taken|based|compiled|gathered|collected|drawn|from|derived|"
    r"sourced|provided|accurate|correct)\b",
)
_PEOPLE = r"(?:people|persons?|individuals?|men|women|figures)"
_SEVERAL = (
    r"(?:several|many|multiple|various|different|numerous|two|three|four|five|six|a\s+number\s+of)"
)
ANNOUNCES = _any(
    rf"there\s+(?:are|were|exist)\s+(?:(?:at\s+least|about|over)\s+)?(?:\d+|{_SEVERAL})(?:\s+(?:\w+\s+)?{_PEOPLE})?\s+"
    r"(?:with|of|by|under)\s+(?:this|that|the\s+same)\s+name$",
    r"[^,;:()]{2,60}\s(?:is|was)\s+(?:also\s+)?(?:the|a)\s+name\s+(?:of|for|shared\s+by|borne\s+by|used\s+by)\s+"
    rf"(?:(?:at\s+least\s+)?(?:{_SEVERAL}|\d+|more\s+than\s+\w+)\s+)(?:\w+\s+){{0,2}}{_PEOPLE}$",
    r"(?:remember,?\s+|note:?\s+)?there\s+(?:may|might|could|are)\s+(?:well\s+|also\s+)?(?:be\s+)?(?:several\s+)?"
    r"others?\s+(?:of|with|by)\s+(?:the|this|that)\s+(?:same\s+)?name$",
    r"there(?:['’]s|\s+(?:is|are|was|were))\s+more\s+than\s+one\s+(?:(?-i:[A-Z])[\w.'’-]+\s*){1,4}"
    r"(?:(?:in|among)\s[^,;:()]{1,60})?(?:,?\s*(?:so|and|but)\s+(?-i:I|we)\b.*)?$",
    r"(?:the|this)\s+(?:name|surname|given\s+name|first\s+name|last\s+name)\b[^,;:()]{0,60}\b(?:is|was|"
    r"seems|remains)\s+(?:\w+\s+){0,2}(?:common|popular|widespread|ambiguous|frequent|unusual|rare)"
    r"\b[^,;:()]*$",
    r"(?:the|this)\s+name\b[^,;:()]{0,60}\b(?:used|shared|borne|held|carried)\s+by\s+(?:several|many|"
    r"multiple|various|different|numerous|two|three|four|more|a\s+number|at\s+least)\b[^,;:()]*$",
    r"(?!(?:he|she|it|this|that|his|her)\b)[^,;:()]{2,60}\s(?:is|was|seems\s+to\s+be)\s+(?:an?|quite\s+an?|"
    r"the)\s+(?:\w+\s+){0,2}(?:common|popular|frequent|widespread|ambiguous|shared)\s+(?:\w+\s+){0,2}"
    r"name\b(?!\s+of\b)[^,;:()]*$",
    rf"(?:several|many|multiple|various|different|numerous|two|three|a\s+number\s+of)\s+(?:\w+\s+){{0,3}}"
    rf"{_PEOPLE}\s+(?:share|bear|have|go\s+by|are\s+called|are\s+named)\b[^,;:()]*$",
    rf"{_INTRO}there\s+(?:are|may\s+be|might\s+be|could\s+be|have\s+been|exist|is\s+more\s+than)\s+"
    rf"(?:[\w-]+\s+){{1,6}}{_PEOPLE}(?!.*\bwho\s+(?:is|was|has)\b)\s+(?:named|called|with|by|known\s+as|of\s+(?:this|that|the)|"
    r"(?:who|that)\s+(?:share|bear|have\s+(?:the|this)|go\s+by|are\s+(?:named|called)))\b[^,:;()]*$",
    r"(?:the\s+following|below|what\s+follows)\s+(?:is|are|concerns?|describes?|covers?|refers?|deals?)\b",
    r"meet\s+(?-i:[A-Z])(?:(?!\b(?:is|was|are|were)\b)[^,;:]){1,60}$",
    r"(?:now\s+|so\s+|first\s+|next\s+)?(?:let['’]s|let\s+us|moving\s+on\s+to)\b",
    r"in\s+(?:this|the\s+following|what\s+follows)\b(?:\s+(?:biography|article|answer|section|response|"
    r"essay|text|overview|post|summary))?,?\s+(?-i:we|I|you)\b",
    r"(?:this|these)\s+(?:is|are)\s+(?:an?|some|the|my|your)\s+(?:\w+\s+){0,3}(?:biograph(?:y|ies)|bio|"
    r"facts|summary|overview|details|answer|account)\b(?!\s+that\b)",
    r"(?:(?:an?|the|some|my|your)\s+)?(?:(?:short|brief|quick|concise|key|main|interesting|basic|fun|"
    r"important|\d+|five|ten|three|detailed|full|small)\s+)*(?:biograph(?:y|ies)|bio|profile|overview|summary|"
    r"introduction|facts|information|details|key\s+points|timeline|outline|sketch)\s+(?:of|about|on|"
    r"for|regarding)\s+(?:[^,;:.]{1,80})\W*$(?<!\?)",
    r"[^,.;]{0,70}\b(?:could|may|might|can)\s+(?:also\s+)?(?:be|refer\s+to)(?:\s*:?\W*$|\s+(?:several|"
    r"multiple|two|three|four|some|a\s+few|many|different|various|a\s+number|any|one\s+of)\b)",
    r"(?:the|this)\s+name\s+refers\s+to\b",
)
