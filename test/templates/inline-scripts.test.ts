import { expect } from 'chai';
import { compileTemplate } from '../../src/templates/compile.js';
import { inlineScriptsOf } from '../../src/templates/inline-scripts.js';
import { contextOf, renderAtOnce } from './context-of.js';

const declaration = '<!--SVC start="{{{" end="}}}" -->';

describe('inline scripts of a template', () => {
  const compiled = (page: string, file = 'a.html') => compileTemplate(declaration + page, { file });
  const context = {
    variables: { A: ['1', '2'], X: ['</script><script>evil()'] },
    publicKeys: { K: { EXPONENT: '010001', MODULUS: 'AB12' } },
    encryption: { K: ['K', '3TDEA', 'RSA-1024', 'NODE', 'HEX', 'CBC', 'PKCS7'] },
    ajaxSessionCode: 'SvcSession=abc',
    sessionCode: 'SvcSession=def',
    prefixCode: 'VPLEX/',
    allowed: ['PAY'],
  };
  const scriptsOf = (page: string, file?: string) => [
    ...renderAtOnce(compiled(page, file), contextOf(context)).inlineScripts,
  ];

  for (const [page, scripts] of [
    ['<script>a()</script>', ['a()']],
    ['<SCRIPT type="text/javascript" >a()</ScRiPt >', ['a()']],
    ['<script>a()</script><script>b("</p>")</script>', ['a()', 'b("</p>")']],
    ['<script>a()</script><p></p><script>a()</script>', ['a()']],
    ['<script>\r\na()\rb()\n</script>', ['\na()\nb()\n']],
    ['<script data-x="1>2" data-y=\'>\' z=>a()</script>', ['a()']],
    ['<script data-x="{{{CURRENT-VALUE-OF "A"}}}">a()</script>', ['a()']],
    ['<script>a("</scripts>")</script>', ['a("</scripts>")']],
    [
      '<script>e="{{{PUBLIC-KEY (EXPONENT) "K"}}}";m="{{{PUBLIC-KEY (MODULUS) "K"}}}"</script>',
      ['e="010001";m="AB12"'],
    ],
    ['<script>p=[{{{ENCRYPTION-PARAMETERS "K"}}}]</script>', ["p=['K','3TDEA','RSA-1024','NODE','HEX','CBC','PKCS7']"]],
    [
      '<script>u="/{{{VIRPLEX-CODE}}}A++{{{AJAX-SESSION-CODE}}}{{{SESSION-CODE}}}"</script>',
      ['u="/VPLEX/A++SvcSession=abcSvcSession=def"'],
    ],
    ['<script>{{{DEFINE-HTML-PFKEY "pf"}}}a()</script>', ['a()']],
    ['{{{FOR-EACH-VALUE-IN "A"}}}<script>a()</script>{{{END-FOR "A"}}}', ['a()']],
    // a text that another element holds is no script
    ['<!-- <script>a()</script> --><script>b()</script>', ['b()']],
    ['<!--><script>a()</script><!---><script>b()</script>', ['a()', 'b()']],
    ['<textarea><script>a()</script></textarea><script>b()</script>', ['b()']],
    ['<title>"<b </title><style><script></style><script>b()</script>', ['b()']],
    ['<p title="<script>a()</script>"><script>b()</script>', ['b()']],
    // nothing to hash
    ['<script src="a.js"></script>', []],
    ['<script>a()', []],
    ['<scripts>a()</scripts>', []],
    // a value that a client or a host may have written, or text that is not always there
    ['<script>a("{{{CURRENT-VALUE-OF "X"}}}")</script>', []],
    ['<script>a("{{{CURRENT-VALUE-OF "X"}}}")</script><script>b()</script>', ['b()']],
    ['<script>a("{{{NAME-OF (QUERY)}}}")</script>', []],
    ['<script>a("{{{COPY-FROM (1,1,30)}}}")</script>', []],
    ['<script>a("{{{USER-SIGNON-CODE}}}{{{SECURITY-TOKEN}}}")</script>', []],
    ['<script>a({{{FOR-EACH-VALUE-IN "A"}}}1,{{{END-FOR "A"}}})</script>', []],
    ['<script>{{{IF-PRINT-IS-READY ShowPopup(); }}}</script>', []],
    ['{{{WHEN-EXISTS "A"}}}<script>a(){{{END-WHEN-EXISTS "A"}}}</script>', []],
    ['{{{IF-USER-IS-ALLOWED-TO "PAY" <script>a()}}}</script>', []],
    ['{{{SET-LOCAL-OPTIONS (NO-ESCAPES)}}}<script>a()</script{{{CURRENT-VALUE-OF "X"}}}>b()</script>', []],
  ] as const) {
    it(`of ${page}`, () => {
      expect(scriptsOf(page)).to.deep.equal(scripts);
    });
  }

  it('are those of HTML alone', () => {
    expect(scriptsOf('<script>a()</script>', 'a.xml')).to.deep.equal([]);
    expect(scriptsOf('{{{SET-CONTENT-TYPE "text/html; charset=UTF-8"}}}<script>a()</script>', 'a.xml')).to.deep.equal([
      'a()',
    ]);
  });

  it('are read as browsers read ISO-8859-1', () => {
    const source = `${declaration}<script>a("\xe9\x80")</script>`;
    const template = compileTemplate(source, { file: 'a.html', sourceCharset: 'ISO-8859-1' });
    expect([...renderAtOnce(template, contextOf({})).inlineScripts]).to.deep.equal(['a("é€")']);
  });

  it('are 32 at most, and a warning gives the place of the next', () => {
    const pages = (count: number) => Array.from({ length: count }, (_, at) => `<script>a(${at})</script>\n`).join('');
    expect(scriptsOf(pages(32))).to.have.lengthOf(32);
    expect(compiled(pages(32)).warnings).to.deep.equal([]);
    expect(scriptsOf(pages(33)))
      .to.have.lengthOf(32)
      .and.not.include('a(32)');
    expect(compiled(pages(33)).warnings.map(({ severity, file }) => [severity, file])).to.deep.equal([
      ['warning', 'a.html'],
    ]);
  });

  it('are marked in the escapes of scripts: a key tag never ends one', () => {
    const hostile = { ...context, encryption: { K: ["</script>'"] }, prefixCode: '</script>"' };
    const page = '<script>[{{{ENCRYPTION-PARAMETERS "K"}}},"{{{VIRPLEX-CODE}}}"]</script>{{{VIRPLEX-CODE}}}';
    const { text } = renderAtOnce(compiled(page), contextOf(hostile));
    expect(text).to.equal(`<script>['\\u003c/script>\\'',"\\u003c/script>\\""]</script></script>"`);
  });

  it('are found in a file that is sent as it is', () => {
    const scripts = (text: string, type = 'text/html') => [...inlineScriptsOf(text, type)];
    expect(scripts('<p><script>a()</script><script src="b"></script><script>c()')).to.deep.equal(['a()']);
    expect(scripts('<script>a()</script>', 'text/xml')).to.deep.equal([]);
    const many = Array.from({ length: 33 }, (_, at) => `<script>a(${at})</script>`).join('');
    expect(scripts(many)).to.have.lengthOf(32);
  });
});
