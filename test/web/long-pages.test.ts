import { expect } from 'chai';
import { exchange } from '../lines/listener/raw-connection.js';
import { get, openedClientLines, templatePage } from './client-line.js';

/** 90 tags in 99,000 passes: nearly all that a page may do. */
const long = `{{{DEFINE-AUTOMATIC-COUNTER (1,1,99000) "n"}}}{{{FOR-EACH-VALUE-IN "n"}}}${'{{{ADVANCE-TO-NEXT-VALUE-OF "m"}}}'.repeat(90)}.{{{END-FOR "n"}}}`;

describe('a page that takes long', () => {
  const open = openedClientLines();

  it('lets those have their pages that come behind it', async () => {
    const { port } = await open({
      pages: {
        'CLI-DIR/LONG.HTML': templatePage('LONG.HTML', long),
        'CLI-DIR/SHORT.HTML': templatePage('SHORT.HTML', 'short'),
      },
    });
    await exchange(port, get('/short.html'));
    const answered: string[] = [];
    const asked = (page: string) =>
      exchange(port, get(`/${page}.html`)).then((answer) => {
        answered.push(page);
        return answer;
      });
    const [answer] = await Promise.all([asked('long'), asked('short')]);
    expect(answered).to.deep.equal(['short', 'long']);
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
    expect(answer).to.match(/\r\nContent-length: 00099000\r\n/);
    expect(answer.split('\r\n\r\n')[1]).to.equal('.'.repeat(99_000));
  });
});
