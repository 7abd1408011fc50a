// Signs on and reads the menu. Runs against the simulated host; replace its address by that of your host.
import { startHost } from 'sallyport/simulated-host';
import { connect } from 'sallyport/tn3270';

const simulated = await startHost({ users: { DEMO: 'demo' } });
const host = await connect(simulated.address, { deviceType: 'IBM-3279-2-E', codePage: 'IBM1047' });
await host.expect({ text: 'SIGNON' }, { within: 5 });
await host.fill([
  { label: 'Userid', text: 'DEMO' },
  { label: 'Password', text: 'demo' },
]);
const menu = await host.press('Enter', { expect: { text: 'Option ===>' } });
console.log(menu.text());
await host.close();
await simulated.stop();
