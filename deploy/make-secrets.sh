#!/bin/sh
# Creates the secrets for compose.yaml in secrets/, each in a file of its own. Secrets that exist stay as they are.
#
# Only you can open the folder. The files in it are readable for every user, because the programs in the
# containers run as different users.
set -eu
folder=${1:-"$(dirname "$0")/secrets"}
mkdir -p "$folder"
chmod 700 "$folder"
for name in encryption_key postgres_admin_password postgres_password redis_password; do
	file="$folder/$name"
	[ -s "$file" ] && continue
	openssl rand -hex 32 | tr -d '\n' > "$file"
	chmod 644 "$file"
	echo "Created $name"
done
echo "Keep a copy of encryption_key in a safe place. If it is lost, you have to enter all credentials in n8n again."
