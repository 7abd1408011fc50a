import { counted } from '../check/print-diagnostics.js';
import { callsOf, type UploadScript } from './macro-upload-script.js';

/**
 * macros.bat: for the command processor of Windows. The password reaches each call through the environment of the batch
 * file: echo and set would mend and mangle it on its way through a pipe.
 */
export function batchFile(script: UploadScript): string {
  const calls = [...callsOf(script)].map(
    ({ group, user, global, flag }) => `call :upload "${group}" "${user}" ${global} ${flag}`,
  );
  const lines = `@echo off
rem Uploads macros.json of ${counted(calls.length, 'user')} and of their groups to ${script.server}.
rem Run it in the folder that holds the folders of groups and users.
rem set SALLYPORT=COMMAND names another sallyport; SALLYPORT_PASSWORD, where it is set, is not asked for.
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
set /p "administrator=User id of the administrator: "
if not defined administrator (echo No user id was given.& exit /b 2)
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

/** A command of npm is a batch file itself: without `call` it would not come back. */
function called(command: readonly string[]): string {
  const words = command.map((word) => `"${value(word)}"`).join(' ');
  return command.length === 1 ? `call ${words}` : words;
}

/** Within quotation marks only the percent sign means something; a quotation mark itself is refused before. */
function value(text: string): string {
  return text.replaceAll('%', '%%');
}

function isAscii({ groupDirectory, userDirectory, command }: UploadScript): boolean {
  return [groupDirectory, userDirectory, ...command].every((text) => /^[ -~]*$/.test(text));
}
