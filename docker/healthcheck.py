"""Asks the web server in this container whether it can do its work; exits with 1 if not."""

import os
import sys
import urllib.request
from urllib.parse import urlsplit

port = os.environ.get("PORT", "8000")
# The site answers only to its own name.
host = urlsplit(os.environ.get("SITE_URL", "")).netloc or f"localhost:{port}"
request = urllib.request.Request(f"http://127.0.0.1:{port}/healthz/ready", headers={"Host": host})
try:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=4) as answer:
        healthy = answer.status == 200
except OSError:
    healthy = False
sys.exit(0 if healthy else 1)
