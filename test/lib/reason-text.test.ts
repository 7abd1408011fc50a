import { expect } from 'chai';
import { ServiceError } from '../../src/lib/errors.js';
import { detailText, type Reason, reasonText } from '../../src/lib/locale.js';

describe('the text of a reason', () => {
  it('has its values, in every language', () => {
    const reason: Reason = { code: 'body.bytes', values: { most: 1_024 } };
    expect(reasonText(reason, 'en')).to.equal('The maximum is 1024 bytes.');
    expect(reasonText(reason, 'de')).to.equal('Erlaubt sind höchstens 1024 Bytes.');
    expect(reasonText(reason, 'fr')).to.equal('Le maximum est de 1024 octets.');
  });

  it('has the texts of reasons within it, and of several', () => {
    const problem: Reason = {
      code: 'value.unexpected',
      values: { expected: { code: 'type.array' }, found: { code: 'type.nothing' } },
    };
    const reason: Reason = { code: 'macro.fault', values: { path: '$.macros', problem } };
    expect(reasonText(reason, 'en')).to.equal('$.macros: expected an array, found nothing');
    expect(reasonText(reason, 'de')).to.equal('$.macros: erwartet: Array, gefunden: nichts');
    expect(reasonText(reason, 'fr')).to.equal('$.macros\u00a0: attendu\u00a0: un tableau\u00a0; trouvé\u00a0: rien');
    const several: Reason = {
      code: 'server.workersFailed',
      values: { failures: [{ code: 'line.drained' }, { code: 'message.empty' }] },
    };
    expect(reasonText(several, 'en')).to.equal(
      'The operation failed on some workers of this machine. It is already drained. It is empty.',
    );
  });

  it('takes values as they are, even if they look like parameters', () => {
    const reason: Reason = { code: 'user.name', values: { name: '{rule} $& {', rule: 'R' } };
    expect(reasonText(reason, 'en')).to.equal('"{rule} $& {" is not a valid user ID. Expected R.');
  });

  it('is the same in every language if another program or a scenario wrote it', () => {
    expect(detailText({ foreign: 'TRANS13' }, 'de')).to.equal('TRANS13');
    const error = new ServiceError('SVC_ERR_SCENARIO_REFUSED', { detail: { foreign: 'No such account' } });
    expect(error.hasForeignDetail).to.equal(true);
    expect(error.publicTextIn('de')).to.equal('Das Szenario hat die Anfrage abgelehnt. No such account');
  });

  it('is not shown to clients if the error is only logged', () => {
    const error = new ServiceError('SVC_ERR_HOST_FAULTY');
    expect(error.description.exposed).to.equal(false);
    expect(new ServiceError('SVC_ERR_SERVICE_BUSY', { detail: 'module X line 7' }).publicTextIn('en')).to.equal(
      'The service is busy. Please try again.',
    );
  });
});
