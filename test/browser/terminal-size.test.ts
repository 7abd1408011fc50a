import { expect } from 'chai';
import type { SessionSite } from '../sessions/session-site.js';
import { loadedBytes } from './loaded-bytes.js';
import { browserFor, leaveBrowser } from './shared-browser.js';
import { startTerminalSite } from './terminal-page.js';

describe('what the page of the terminal loads', function () {
  this.timeout(60_000);
  let site: SessionSite;

  before(async () => {
    site = await startTerminalSite();
  });

  after(async () => {
    await leaveBrowser();
    await site.stop();
  });

  it('is 120,000 bytes at most as they travel with gzip, 72,000 of them its script', async function () {
    const browser = await browserFor(this);
    const { all, byFile } = await loadedBytes(browser, `${site.url}/TERMINAL.HTML+TSO`, 'gzip');
    expect([...byFile.keys()]).to.include.members(['terminal.js', 'terminal.css', 'terminal-font.woff2']);
    expect([...byFile.keys()], 'the characters that few screens show').to.not.include('terminal-font-more.woff2');
    expect(byFile.get('terminal.js')).to.be.below(72_000);
    expect(all, JSON.stringify([...byFile])).to.be.below(120_000);
  });
});
