#!/bin/sh
exec node "$(dirname "$0")/feed.mjs" "$@"
