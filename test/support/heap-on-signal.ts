// Preloaded into a server: writes a heap snapshot into its folder on SIGPWR, which has no other use.
import { Session } from 'node:inspector';
import { writeHeapSnapshot } from 'node:v8';

process.on('SIGPWR', () => {
  // the debugger makes V8 record line ends of scripts; without it V8 searches the line of each function from the start
  // of the script, which takes minutes without a code cache
  const session = new Session();
  session.connect();
  session.post('Debugger.enable');
  session.disconnect();
  writeHeapSnapshot();
});
