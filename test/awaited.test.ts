import { expect } from 'chai';
import { awaited, nameOfProgram } from './support/awaited.js';
import { commandScript } from './support/project.js';

describe('waiting for another program', () => {
  it('fails with the name of the program and the missing answer, and ends the program', async () => {
    let isEnded = false;
    const end = () => {
      isEnded = true;
    };
    const answer = awaited('s3270', 'an answer to Enter', new Promise<void>(() => undefined), end, 1);
    const fault = await answer.catch((error: unknown) => error);
    expect(String(fault)).to.equal('Error: s3270 did not come to this within 0.001 seconds: an answer to Enter');
    expect(isEnded).to.equal(true);
  });

  it('gives the answer, or its own error, and ends nothing', async () => {
    const end = () => expect.fail('the program was ended');
    expect(await awaited('s3270', 'an answer', Promise.resolve(7), end, 1)).to.equal(7);
    const fault = await awaited('s3270', 'an answer', Promise.reject(new Error('gone')), end, 1).catch(String);
    expect(fault).to.equal('Error: gone');
  });

  it('names programs as a reader knows them', () => {
    expect(nameOfProgram(['s3270', '-utf8'])).to.equal('s3270');
    expect(nameOfProgram([process.execPath, commandScript, 's3270', '-utf8'])).to.equal('sallyport s3270');
  });
});
