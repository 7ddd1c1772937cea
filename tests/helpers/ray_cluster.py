"""Runs checks on two Ray nodes in an isolated network; prints JSON at the end.

    unshare --net --map-root-user python ray_cluster.py FOLDER

The nodes cannot be reached from outside, and reach nothing outside. They are ended by process id.
"""

import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

HEAD, OTHER, PORT, CLIENT = "127.0.0.2", "127.0.0.3", 6380, 10001
HELPERS = Path(__file__).resolve().parent


def loopback_up():
    flags, up = 0x8914, 0x1 | 0x40  # SIOCSIFFLAGS; IFF_UP, IFF_RUNNING
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        fcntl.ioctl(made, flags, struct.pack("16sh14x", b"lo", up))


def environment(folder, token="token"):
    return os.environ | {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(folder / token),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ADDRESS": f"{HEAD}:{PORT}",
        "RAY_health_check_initial_delay_ms": "0",
        "RAY_health_check_period_ms": "1000",
        "RAY_health_check_timeout_ms": "15000",
        "RAY_health_check_failure_threshold": "3",
        "PYTHONPATH": str(HELPERS),
    }


def start(folder, *options):
    """Starts a node and waits until it runs; Ray gives up after a while on a busy machine."""
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1"]
    more = ["--disable-usage-stats", "--object-store-memory=80000000"]
    more += ["--include-log-monitor=false"]  # the log monitor reads all logs repeatedly
    log = folder / "nodes.log"
    for _ in range(3):
        with log.open("ab") as output:
            begin = output.tell()
            node = subprocess.Popen(
                [*command, *more, *options],
                env=environment(folder),
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        while node.poll() is None:
            if b"Ray runtime started" in log.read_bytes()[begin:]:
                return node
            time.sleep(0.1)
        end(node)
    raise AssertionError(log.read_text())


def end(node):
    """Kills a node and its child processes."""
    with suppress(ProcessLookupError):
        os.killpg(node.pid, signal.SIGKILL)
    node.wait()


def start_head(folder, *more):
    return start(
        folder,
        "--head",
        f"--node-ip-address={HEAD}",
        f"--port={PORT}",
        "--include-dashboard=false",
        f"--temp-dir={folder / 'ray'}",
        *more,
    )


def start_other(folder):
    return start(folder, f"--address={HEAD}:{PORT}", f"--node-ip-address={OTHER}")


def wait_for_port(address, port):
    for _ in range(300):
        with socket.socket() as tried:
            if tried.connect_ex((address, port)) == 0:
                return
        time.sleep(0.2)
    raise TimeoutError(f"no answer at {address}:{port}")


def drive(folder, name, *, token="token", **more):
    """Runs a function of `ray_checks` in a separate process."""
    return subprocess.Popen(
        [sys.executable, str(HELPERS / "ray_checks.py"), name, str(folder)],
        env=environment(folder, token) | more,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process, timeout=180):
    out, err = process.communicate(timeout=timeout)
    return {"out": out, "err": err, "status": process.returncode}


def processes(word):
    """Lists running processes of this network with a word in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            command = (path / "cmdline").read_bytes()  # empty for an ended process
            if word in command and os.stat(path / "ns/net") == os.stat("/proc/self/ns/net"):
                found.append(int(path.name))
        except OSError:
            continue
    return found


def workers():
    """Lists the processes of live actors."""
    return processes(b"RayWorker")


def main(folder):
    loopback_up()
    (folder / "token").write_text("0123456789abcdef" * 4)
    (folder / "wrong").write_text("fedcba9876543210" * 4)
    nodes, found = [], {}
    try:
        nodes.append(start_head(folder, f"--ray-client-server-port={CLIENT}"))
        refused = drive(folder, "join", token="wrong")
        absent = drive(folder, "join", RAY_ADDRESS="127.0.0.2:6399")
        nodes.append(start_other(folder))
        found["checks"] = said(drive(folder, "checks"), 600)
        found["absent"] = said(absent)
        wait_for_port(HEAD, CLIENT)
        found["score"] = said(drive(folder, "score"), 600)
        for _ in range(3):  # Ray's proxy gives up after 30 s, which a busy machine may need
            found["client"] = said(drive(folder, "client", RAY_ADDRESS=""))
            if found["client"]["status"] == 0:
                break
        killed = drive(folder, "build")
        while not (folder / "killed" / "embeddings" / "embeddings.json").exists():
            if killed.poll() is not None:
                break
            time.sleep(0.1)
        killed.kill()
        killed.communicate()
        for _ in range(300):
            if not workers():
                break
            time.sleep(0.1)
        found["left"] = len(workers())
        losing = drive(folder, "lose_node")
        while not (folder / "begun").exists() and losing.poll() is None:
            time.sleep(0.1)
        end(nodes[1])
        found["node"], found["refused"] = said(losing, 600), said(refused, 600)
    finally:
        for node in nodes:
            end(node)
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
