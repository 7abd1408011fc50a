import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { errorCatalogue } from '../../src/lib/errors.js';
import { projectFolder } from '../support/project.js';

describe('error catalogue', () => {
  const documented = new Map(
    [
      ...readFileSync(join(projectFolder, 'docs/run/errors.md'), 'utf8').matchAll(
        /^\| `(SVC_ERR_\w+)` \| (\d{3}) \|/gm,
      ),
    ].map(([, code, status]) => [code, Number(status)]),
  );

  it('is what docs/run/errors.md says, code by code and status by status', () => {
    const catalogue = Object.entries(errorCatalogue).map(([code, { status }]) => [code, status] as const);
    expect([...documented].sort()).to.deep.equal(catalogue.sort());
  });

  it('shows no detail of our own faults', () => {
    for (const [code, { status, exposed }] of Object.entries(errorCatalogue)) {
      if (status === 500) expect(exposed, code).to.equal(false);
    }
  });

  it('names codes SVC_ERR_<AREA>_<FACT>', () => {
    for (const code of Object.keys(errorCatalogue)) expect(code).to.match(/^SVC_ERR_[A-Z]+_[A-Z_]+$/);
  });
});
