// Reads a table over all its pages.
import { startHost } from 'sallyport/simulated-host';
import { connect } from 'sallyport/tn3270';

const simulated = await startHost();
const host = await connect(simulated.address);
await host.fill([
  { label: 'Userid', text: 'DEMO' },
  { label: 'Password', text: 'demo' },
]);
await host.press('Enter', { expect: { text: 'Option ===>' } });
await host.fill([{ label: 'Option ===>', text: '1' }]);
await host.press('Enter', { expect: { text: 'SALLY.SAMPLE.SOURCE', row: 1 } });
const { rows, isComplete } = await host.readTable(
  { text: 'SALLY.SAMPLE.SOURCE', row: 1 },
  {
    rows: [5, 21],
    columns: {
      name: { column: 5, length: 8 },
      lines: { column: 14, length: 6, as: 'integer' },
      description: { column: 35, length: 30 },
    },
    next: 'PF8',
  },
);
// the last page of this host shows rows of the page before again
const members = new Map(rows.map((row) => [row.name, row]));
console.log(`${members.size} members, ${isComplete ? 'complete' : 'cut off'}`);
console.log(members.get('RATE0001'));
await host.close();
await simulated.stop();
