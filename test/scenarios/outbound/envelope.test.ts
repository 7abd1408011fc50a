import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { withSoapFaultNames } from '../../../src/scenarios/map/document.js';
import type { ElementNode } from '../../../src/scenarios/map/element-tree.js';
import { readXml } from '../../../src/scenarios/map/xml-document.js';
import { fixture } from '../../support/project.js';

const areas = ['faultcode', 'faultstring', 'faultactor'] as const;

function textsOf(root: ElementNode, localName: string): string[] {
  const own = root.localName === localName ? [root.text] : [];
  return [...own, ...root.children.flatMap((child) => textsOf(child, localName))];
}

describe('withSoapFaultNames', () => {
  const names = readdirSync(fixture('soap', 'faults')).filter((name) => name.endsWith('.xml'));

  for (const name of names) {
    it(name, () => {
      const expected: unknown = JSON.parse(
        readFileSync(fixture('soap', 'faults', name.replace(/\.xml$/, '.json')), 'utf8'),
      );
      const root = withSoapFaultNames(readXml(readFileSync(fixture('soap', 'faults', name), 'utf8')));
      expect(Object.fromEntries(areas.map((area) => [area, textsOf(root, area)]))).to.deep.equal(expected);
    });
  }

  it('keeps the elements of the fault and puts its own before them', () => {
    const root = readXml(readFileSync(fixture('soap', 'faults', 'soap-1.2-role-and-header.xml'), 'utf8'));
    const before = JSON.stringify(root);
    const fault = withSoapFaultNames(root).children[1]?.children[0];
    expect(fault?.children.map((child) => child.localName)).to.deep.equal([...areas, 'Code', 'Reason', 'Node', 'Role']);
    expect(JSON.stringify(root)).to.equal(before);
  });

  const untouched = {
    'a SOAP 1.1 fault': '<e:Envelope><e:Body><e:Fault><faultcode>x</faultcode></e:Fault></e:Body></e:Envelope>',
    'a success': '<e:Envelope><e:Body><Code><Value>1</Value></Code></e:Body></e:Envelope>',
    'a fault outside an envelope': '<Fault><Code><Value>1</Value></Code></Fault>',
    'a fault outside the body': '<Envelope><Fault><Code><Value>1</Value></Code></Fault><Body/></Envelope>',
    'another document': '<a><b/></a>',
  };
  for (const [what, text] of Object.entries(untouched)) {
    it(`gives back ${what} as it is`, () => {
      const root = readXml(text);
      expect(withSoapFaultNames(root)).to.equal(root);
    });
  }
});
