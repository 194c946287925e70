#!/bin/sh
# Follows links to this file, since the program lies beside the file itself.
file=$0
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case $target in
    /*) file=$target ;;
    *) file=$(dirname "$file")/$target ;;
  esac
done
exec node "$(dirname "$file")/feed.mjs" "$@"
