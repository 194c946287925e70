#!/bin/sh
# Pins the images: looks up the digest of each tag in Dockerfile and compose.yaml, since a tag can move, and writes it into .env.
# Run it again to renew them; it prints each, for kubernetes.yaml too. It needs Docker with buildx, and the way to the registries.
set -eu
cd "$(dirname "$0")"
images=$(sed -n 's/.*\(FROM\|image:\) \([^@]*\)@\${\([A-Z]*_DIGEST\).*/\3 \2/p' Dockerfile compose.yaml)
[ -n "$images" ] || { echo "Dockerfile and compose.yaml name no image with a digest of .env." >&2; exit 1; }
echo "$images" | while read -r name tag; do
  digest=$(docker buildx imagetools inspect "$tag" | sed -n 's/^Digest: *\(sha256:[0-9a-f]\{64\}\)$/\1/p')
  [ -n "$digest" ] || { echo "No digest was found for $tag, and .env keeps its former one." >&2; exit 1; }
  grep -q "^$name=" .env || echo "$name=" >> .env
  sed -i "s/^$name=.*/$name=$digest/" .env
  echo "$tag@$digest"
done
