import { expect } from 'chai';
import { readS3270Options } from '../../src/cli/s3270/s3270-options.js';

describe('options of sallyport s3270', () => {
  const faultOf = (...words: string[]) => {
    const read = readS3270Options(words, process.cwd());
    return read.kind === 'fault' ? read.fault : undefined;
  };

  it('are those that the clients of s3270 start it with', () => {
    for (const words of [
      ['-xrm', 's3270.unlockDelay: False'],
      ['-xrm', 's3270.unlockDelay: False', '-xrm', '*model: 2', '-utf8'],
      ['-model', '3279-2-E', '-port', '992', '-charset', 'cp1047', '-trace', '-tracefile', '/tmp/t', '-noverifycert'],
      ['-utf8', '-minversion', '3.6', 'host:23'],
      ['-set', 'startTls=false', '-set', 'blankFill', '-user', 'ANNA', '-connecttimeout', '5'],
    ]) {
      expect(faultOf(...words), words.join(' ')).to.equal(undefined);
    }
    const read = readS3270Options(
      ['-model', '3', '-oversize', '132x50', '-codepage', 'cp1047', 'LU1@host'],
      process.cwd(),
    );
    expect(read).to.have.nested.include({
      'value.modelNumber': 3,
      'value.host': 'LU1@host',
      'value.codePageName': 'cp1047',
      'value.model.alternateSize.columns': 132,
    });
  });

  it('that are unknown are said to be, and what is near; those that are not here yet, too', () => {
    expect(faultOf('-modle', '2')).to.equal('Unknown option -modle (did you mean "-model"?)');
    expect(faultOf('-httpd', '8080')).to.equal('-httpd is an option of s3270 that is not supported here yet');
    expect(faultOf('-xrm', 's3270.blankFil: true')).to.include('blankFill');
    expect(faultOf('-minversion', '4.2')).to.include('4.1');
    expect(faultOf('-minversion', '4.1')).to.equal(undefined);
    for (const words of [
      ['-model', '6'],
      ['-model'],
      ['-port', '0'],
      ['-connecttimeout', '601'],
      ['a', 'b'],
      ['-xrm', 'x'],
    ]) {
      expect(faultOf(...words), words.join(' ')).to.be.a('string');
    }
    expect(faultOf('-cafile', '/nonexistent')).to.include('/nonexistent');
  });
});
