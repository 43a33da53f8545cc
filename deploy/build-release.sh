#!/usr/bin/env bash
# Builds countersign-VERSION.tar.gz in the folder that is named (dist by default): Node and the server as they are in the image, for
# a machine without a container engine. Needs what build-image.sh needs.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$(mkdir -p "${1:-dist}" && cd "${1:-dist}" && pwd)"
version="$(node -p 'require("./package.json").version')"

read -ra storage <<<"$(deploy/build-image.sh)"
container="$(buildah "${storage[@]}" from localhost/countersign)"
trap 'buildah "${storage[@]}" rm "$container" >/dev/null' EXIT
files="$(buildah "${storage[@]}" mount "$container")"
# The same bytes for the same image: owner, order and time are fixed. The folders above are entries too, so that their modes do not
# depend on the umask of the one who unpacks them.
tar --create --directory "$files" --sort=name --mtime='@0' --owner=0 --group=0 --numeric-owner \
  --transform="s,^usr/local/bin,bin,S" --transform="s,^,countersign-$version/,S" \
  --no-recursion . usr/local/bin --recursion usr/local/bin/node app |
  gzip --no-name --fast >"$target/countersign-$version.tar.gz"
echo "$target/countersign-$version.tar.gz"
