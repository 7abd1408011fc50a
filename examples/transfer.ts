// Sends a text file with IND$FILE and receives it again.
import { startHost } from 'sallyport/simulated-host';
import { connect } from 'sallyport/tn3270';

const simulated = await startHost();
const host = await connect(simulated.address);
await host.fill([
  { label: 'Userid', text: 'DEMO' },
  { label: 'Password', text: 'demo' },
]);
await host.press('Enter', { expect: { text: 'Option ===>' } });
await host.fill([{ label: 'Option ===>', text: 'T' }]);
await host.press('Enter', { expect: { text: 'READY' } });
const file = new TextEncoder().encode('first line\nsecond line\n');
await host.sendFile(file, { host: 'tso', hostFile: 'NOTES.TEXT', text: true });
const back = await host.receiveFile({ host: 'tso', hostFile: 'NOTES.TEXT', text: true });
console.log(new TextDecoder().decode(back));
await host.close();
await simulated.stop();
