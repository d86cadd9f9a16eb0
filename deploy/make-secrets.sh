#!/bin/sh
# Makes up the secrets of compose.yaml, a file for each, in secrets/. Those that are there stay.
#
# Nobody but you can enter the folder. The files themselves can be read by all, because the programs
# in the containers run as users of their own.
set -eu
folder=${1:-"$(dirname "$0")/secrets"}
mkdir -p "$folder"
chmod 700 "$folder"
for name in encryption_key postgres_admin_password postgres_password redis_password; do
	file="$folder/$name"
	[ -s "$file" ] && continue
	openssl rand -hex 32 | tr -d '\n' > "$file"
	chmod 644 "$file"
	echo "Made $name"
done
echo "Keep a copy of encryption_key elsewhere: without it, all credentials in n8n have to be entered anew."
