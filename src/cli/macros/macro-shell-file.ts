import { counted } from '../check/print-diagnostics.js';
import { callsOf, type UploadScript } from './macro-upload-script.js';

/** macros.sh: for a POSIX shell. The password reaches each call through a pipe: printf is no process of its own. */
export function shellFile(script: UploadScript): string {
  const calls = [...callsOf(script)].map(
    ({ group, user, global, flag }) => `upload ${quoted(group)} ${quoted(user)} ${global} ${flag}`,
  );
  return `#!/bin/sh
# Uploads macros.json of ${counted(calls.length, 'user')} and of their groups to ${script.server}.
# Written by ${script.origin}.
# Run it in the folder that holds ${commented(script.groupDirectory)} and ${commented(script.userDirectory)}.
# SALLYPORT=COMMAND names another sallyport.
set -u

server=${quoted(script.server)}
group_directory=${quoted(script.groupDirectory)}
user_directory=${quoted(script.userDirectory)}
output=output.txt
total=${calls.length}
done=0
failed=0
failed_users=

sallyport() {
  if [ -n "\${SALLYPORT:-}" ]; then
    "$SALLYPORT" "$@"
  else
    ${script.command.map(quoted).join(' ')} "$@"
  fi
}

read_line() {
  line=
  IFS= read -r line || [ -n "$line" ]
}

restore_terminal() {
  stty "$terminal"
  printf '\\n' >&2
}

ask() {
  if [ -t 0 ]; then printf 'User id of the administrator: ' >&2; fi
  read_line && [ -n "$line" ] || { echo 'No user id was given.' >&2; exit 2; }
  administrator=$line
  if [ -t 0 ]; then
    terminal=$(stty -g)
    trap 'restore_terminal; exit 130' INT TERM HUP
    stty -echo
    printf 'Password: ' >&2
  fi
  read_line
  password=$line
  line=
  if [ -t 0 ]; then
    trap - INT TERM HUP
    restore_terminal
  fi
  [ -n "$password" ] || { echo 'No password was given.' >&2; exit 2; }
}

# upload GROUP USER Y|N FLAG
upload() {
  done=$((done + 1))
  echo "[$done/$total] $1 $2"
  printf '%s\\n' "$password" | sallyport macros upload --batch --password-stdin --output "$output" -- \\
    "$1" "$2" "$3" "$server" "$group_directory" "$user_directory" "$administrator" "$4"
  code=$?
  [ "$code" = 0 ] && return
  failed=$((failed + 1))
  failed_users="$failed_users $1/$2"
  if [ "$code" != 1 ]; then
    case $((total - done)) in
      0) ;;
      1) echo 'Stopped: the other user would fail, too.' >&2 ;;
      *) echo "Stopped: the other $((total - done)) users would fail, too." >&2 ;;
    esac
    finish
  fi
}

finish() {
  password=
  echo "Upload Ended: $done of ${counted(calls.length, 'user')}, $failed with failures."
  [ "$failed" = 0 ] || echo "Failures:$failed_users" >&2
  if [ -t 0 ]; then printf 'Delete %s? (y/N) ' "$output" >&2; fi
  read_line
  case $line in
    [Yy]*) rm -f -- "$output" ;;
  esac
  [ "$failed" = 0 ]
  exit
}

ask
${calls.join('\n')}
finish
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** On one line, whatever a folder is called. */
function commented(text: string): string {
  return JSON.stringify(text);
}
