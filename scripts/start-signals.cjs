// Loaded before all else: what signals ask of a server is kept from the beginning of its start, and done when it serves. By itself the
// system would end the process by them.
const kept = [];
const signals = process.platform === 'win32' ? [] : ['SIGHUP', ...(isWorker() ? [] : ['SIGUSR2'])];
const keep = (signal) => kept.push(signal);
if (isServer()) for (const signal of signals) process.on(signal, keep);
// a terminal sends it to every process: what a worker is to do, its supervisor says
if (isServer() && isWorker()) process.on('SIGINT', () => {});

/** Without a command it serves. */
function isServer() {
  const [first = ''] = process.argv.slice(2);
  return (
    first === 'serve' || first === '' || (first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first))
  );
}

/** Its supervisor drains it by SIGUSR2: before it serves, it ends by that. */
function isWorker() {
  return process.env.SALLYPORT_NODE !== undefined;
}

/** For the program, when it hears them itself. @returns those that came before */
function handOver() {
  for (const signal of signals) process.off(signal, keep);
  return kept.splice(0);
}

module.exports = { isServer, startSignals: { signals, handOver } };
