import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';

const codePage = findCodePage('IBM037');
if (codePage === undefined) throw new Error('no code page 37');
const host = new SimulatedHost({ codePage, users: {}, start: 'MENU' });
const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
process.send?.(port);
