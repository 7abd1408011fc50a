import { expect } from 'chai';
import { SessionSupervision } from '../../src/sessions/session-supervision.js';

describe('the supervision of a session', () => {
  /** Supervision with a listener that notes the names at each call. */
  function supervised() {
    const supervision = new SessionSupervision();
    const told: string[] = [];
    supervision.listen(() => told.push(`watched [${supervision.watchedBy}] traced [${supervision.tracedBy}]`));
    return { supervision, told };
  }

  it('calls its listeners when an operator begins to watch and when the operator ends it, each once', () => {
    const { supervision, told } = supervised();
    const end = supervision.watch({ name: 'OPERA', changed: () => {} });
    expect(told).to.deep.equal(['watched [OPERA] traced []']);
    end();
    expect(told).to.deep.equal(['watched [OPERA] traced []', 'watched [] traced []']);
    end();
    expect(told).to.have.length(2);
  });

  it('calls its listeners when an operator begins to trace and when the operator ends it, each once', () => {
    const { supervision, told } = supervised();
    const end = supervision.trace('OPERA');
    expect(told).to.deep.equal(['watched [] traced [OPERA]']);
    end();
    expect(told).to.deep.equal(['watched [] traced [OPERA]', 'watched [] traced []']);
    end();
    expect(told).to.have.length(2);
  });
});
