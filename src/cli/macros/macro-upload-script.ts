import { counted } from '../output.js';
import type { UploadPair } from './macro-arguments.js';

/** macros.bat. The password is in an environment variable, because echo and set would modify it for a pipe. */
export function batchFile(script: UploadScript): string {
  const calls = [...callsOf(script)].map(
    ({ group, user, global, flag }) => `call :upload "${group}" "${user}" ${global} ${flag}`,
  );
  const lines = `@echo off
rem Uploads macros.json of ${counted(calls.length, 'user')} and of their groups to ${script.server}.
rem Run it in the folder that holds the folders of groups and users.
rem set SALLYPORT=COMMAND names another sallyport. If SALLYPORT_PASSWORD is set, the script does not ask for the password.
setlocal EnableExtensions DisableDelayedExpansion
${isAscii(script) ? '' : 'chcp 65001 >nul\n'}set "server=${value(script.server)}"
set "groupDirectory=${value(script.groupDirectory)}"
set "userDirectory=${value(script.userDirectory)}"
set "output=output.txt"
set /a total=${calls.length}
set /a done=0
set /a failed=0
set "stopped="
set "administrator="
set /p "administrator=User ID of the administrator: "
if not defined administrator (echo No user ID was given.& exit /b 2)
if not defined SALLYPORT_PASSWORD call :askPassword
if not defined SALLYPORT_PASSWORD (echo No password was given.& exit /b 2)

${calls.join('\n')}

set "SALLYPORT_PASSWORD="
echo Upload Ended: %done% of ${counted(calls.length, 'user')}, %failed% with failures.
set "answer="
set /p "answer=Delete %output%? (y/N) "
if /i "%answer:~0,1%"=="y" del "%output%"
if %failed% gtr 0 exit /b 1
exit /b 0

rem upload GROUP USER Y/N FLAG
:upload
if defined stopped exit /b 0
set /a done+=1
echo [%done%/%total%] %~1 %~2
if defined SALLYPORT goto named
${called(script.command)} macros upload --batch --output "%output%" -- "%~1" "%~2" %3 "%server%" "%groupDirectory%" "%userDirectory%" "%administrator%" %4
goto judge
:named
call "%SALLYPORT%" macros upload --batch --output "%output%" -- "%~1" "%~2" %3 "%server%" "%groupDirectory%" "%userDirectory%" "%administrator%" %4
:judge
set "code=%errorlevel%"
if "%code%"=="0" exit /b 0
set /a failed+=1
if "%code%"=="1" exit /b 0
set "stopped=1"
echo Stopped: the other users would fail, too.
exit /b 0

:askPassword
for /f usebackq^ delims^=^ eol^= %%p in (\`powershell -NoProfile -Command "$typed = Read-Host -AsSecureString 'Password'; [Runtime.InteropServices.Marshal]::PtrToStringAuto([Runtime.InteropServices.Marshal]::SecureStringToBSTR($typed))"\`) do set "SALLYPORT_PASSWORD=%%p"
exit /b 0
`;
  return lines.replaceAll('\n', '\r\n');
}

/** Commands of npm are batch files: without `call` they would not return. */
function called(command: readonly string[]): string {
  const words = command.map((word) => `"${value(word)}"`).join(' ');
  return command.length === 1 ? `call ${words}` : words;
}

/** Within quotation marks only the percent sign is special; quotation marks have already been rejected. */
function value(text: string): string {
  return text.replaceAll('%', '%%');
}

function isAscii({ groupDirectory, userDirectory, command }: UploadScript): boolean {
  return [groupDirectory, userDirectory, ...command].every((text) => /^[ -~]*$/.test(text));
}

/** macros.sh for POSIX shells. The password is piped: printf is a builtin, so that it is not in the process list. */
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
  if [ -t 0 ]; then printf 'User ID of the administrator: ' >&2; fi
  read_line && [ -n "$line" ] || { echo 'No user ID was given.' >&2; exit 2; }
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

/** JSON escapes keep any folder name on one line. */
function commented(text: string): string {
  return JSON.stringify(text);
}

export interface UploadScript {
  /** Sorted by group. */
  readonly pairs: readonly UploadPair[];
  readonly global: boolean;
  readonly server: string;
  readonly groupDirectory: string;
  readonly userDirectory: string;
  /** Default for the environment variable SALLYPORT: a program and its first arguments. */
  readonly command: readonly string[];
  readonly origin: string;
}

/** A call of `macros upload` for one user (specification 4.6). */
interface ScriptCall extends UploadPair {
  readonly global: 'Y' | 'N';
  readonly flag: 0 | 1;
}

function* callsOf({ pairs, global }: UploadScript): Generator<ScriptCall> {
  let before: UploadPair | undefined;
  for (const pair of pairs) {
    yield {
      ...pair,
      global: global && before === undefined ? 'Y' : 'N',
      flag: before?.group === pair.group ? 1 : 0,
    };
    before = pair;
  }
}
