"""Changes header fields that schemathesis makes up.

Requests that are to be answered each for itself have names of their own. A name that is none stays: it is to be refused.
"""

import re
import uuid

import schemathesis

FIELD = "Idempotency-Key"
NAME = re.compile(r"[!-~]{1,255}\Z")


@schemathesis.hook
def map_headers(context, headers):
    name = (headers or {}).get(FIELD)
    if isinstance(name, str) and NAME.match(name):
        return {**headers, FIELD: str(uuid.uuid4())}
    return headers
