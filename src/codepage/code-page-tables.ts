// Made by scripts/make-code-page-tables.mjs from the iconv of glibc 2.36: run that instead of editing this.

export interface CodePageTable {
  /** 256 UTF-16 units, one for each byte; U+FFFD where the page assigns none. */
  readonly characters: string;
  /** Further characters that have a byte, though that byte decodes to another one: `[character, byte]`. */
  readonly encodedOnly: ReadonlyArray<readonly [character: string, byte: number]>;
}

/** Bytes 0x00 to 0x3F, the same on every page. */
const controls = [
  '\u0000\u0001\u0002\u0003\u009c\u0009\u0086\u007f\u0097\u008d\u008e\u000b\u000c\u000d\u000e\u000f',
  '\u0010\u0011\u0012\u0013\u009d\u0085\u0008\u0087\u0018\u0019\u0092\u008f\u001c\u001d\u001e\u001f',
  '\u0080\u0081\u0082\u0083\u0084\u000a\u0017\u001b\u0088\u0089\u008a\u008b\u008c\u0005\u0006\u0007',
  '\u0090\u0091\u0016\u0093\u0094\u0095\u0096\u0004\u0098\u0099\u009a\u009b\u0014\u0015\u009e\u001a',
].join('');

/** Sixteen bytes a row, from 0x40 to 0xFF. */
function complete(rows: readonly string[]): CodePageTable {
  return { characters: controls + rows.join(''), encodedOnly: [] };
}

function derived(
  base: CodePageTable,
  changes: ReadonlyArray<readonly [byte: number, character: string]>,
  encodedOnly: CodePageTable['encodedOnly'],
): CodePageTable {
  const characters = Array.from(base.characters);
  for (const [byte, character] of changes) characters[byte] = character;
  return { characters: characters.join(''), encodedOnly };
}

const ibm037 = complete([
  ' \u00a0âäàáãåçñ¢.<(+|',
  '&éêëèíîïìß!$*);¬',
  '-/ÂÄÀÁÃÅÇÑ¦,%_>?',
  'øÉÊËÈÍÎÏÌ`:#@\'="',
  'Øabcdefghi«»ðýþ±',
  '°jklmnopqrªºæ¸Æ¤',
  'µ~stuvwxyz¡¿ÐÝÞ®',
  '^£¥·©§¶¼½¾[]¯¨´×',
  '{ABCDEFGHI\u00adôöòóõ',
  '}JKLMNOPQR¹ûüùúÿ',
  '\\÷STUVWXYZ²ÔÖÒÓÕ',
  '0123456789³ÛÜÙÚ\u009f',
]);

const ibm273 = complete([
  ' \u00a0â{àáãåçñÄ.<(+!',
  '&éêëèíîïì~Ü$*);^',
  '-/Â[ÀÁÃÅÇÑö,%_>?',
  'øÉÊËÈÍÎÏÌ`:#§\'="',
  'Øabcdefghi«»ðýþ±',
  '°jklmnopqrªºæ¸Æ¤',
  'µßstuvwxyz¡¿ÐÝÞ®',
  '¢£¥·©@¶¼½¾¬|¯¨´×',
  'äABCDEFGHI\u00adô¦òóõ',
  'üJKLMNOPQR¹û}ùúÿ',
  'Ö÷STUVWXYZ²Ô\\ÒÓÕ',
  '0123456789³Û]ÙÚ\u009f',
]);

const ibm277 = complete([
  ' \u00a0âäàáã}çñ#.<(+!',
  '&éêëèíîïìß¤Å*);^',
  '-/ÂÄÀÁÃ$ÇÑø,%_>?',
  '¦ÉÊËÈÍÎÏÌ`:ÆØ\'="',
  '@abcdefghi«»ðýþ±',
  '°jklmnopqrªº{¸[]',
  'µüstuvwxyz¡¿ÐÝÞ®',
  '¢£¥·©§¶¼½¾¬|¯¨´×',
  'æABCDEFGHI\u00adôöòóõ',
  'åJKLMNOPQR¹û~ùúÿ',
  '\\÷STUVWXYZ²ÔÖÒÓÕ',
  '0123456789³ÛÜÙÚ\u009f',
]);

const ibm278 = complete([
  ' \u00a0â{àáã}çñ§.<(+!',
  '&`êëèíîïìß¤Å*);^',
  '-/Â#ÀÁÃ$ÇÑö,%_>?',
  'øÉÊËÈÍÎÏÌé:ÄÖ\'="',
  'Øabcdefghi«»ðýþ±',
  '°jklmnopqrªºæ¸Æ]',
  'µüstuvwxyz¡¿ÐÝÞ®',
  '¢£¥·©[¶¼½¾¬|¯¨´×',
  'äABCDEFGHI\u00adô¦òóõ',
  'åJKLMNOPQR¹û~ùúÿ',
  '\\÷STUVWXYZ²Ô@ÒÓÕ',
  '0123456789³ÛÜÙÚ\u009f',
]);

const ibm280 = complete([
  ' \u00a0âä{áãå\\ñ°.<(+!',
  '&]êë}íîï~ßé$*);^',
  '-/ÂÄÀÁÃÅÇÑò,%_>?',
  'øÉÊËÈÍÎÏÌù:£§\'="',
  'Øabcdefghi«»ðýþ±',
  '[jklmnopqrªºæ¸Æ¤',
  'µìstuvwxyz¡¿ÐÝÞ®',
  '¢#¥·©@¶¼½¾¬|¯¨´×',
  'àABCDEFGHI\u00adôö¦óõ',
  'èJKLMNOPQR¹ûü`úÿ',
  'ç÷STUVWXYZ²ÔÖÒÓÕ',
  '0123456789³ÛÜÙÚ\u009f',
]);

const ibm284 = complete([
  ' \u00a0âäàáãåç¦[.<(+|',
  '&éêëèíîïìß]$*);¬',
  '-/ÂÄÀÁÃÅÇ#ñ,%_>?',
  'øÉÊËÈÍÎÏÌ`:Ñ@\'="',
  'Øabcdefghi«»ðýþ±',
  '°jklmnopqrªºæ¸Æ¤',
  'µ¨stuvwxyz¡¿ÐÝÞ®',
  '¢£¥·©§¶¼½¾^!¯~´×',
  '{ABCDEFGHI\u00adôöòóõ',
  '}JKLMNOPQR¹ûüùúÿ',
  '\\÷STUVWXYZ²ÔÖÒÓÕ',
  '0123456789³ÛÜÙÚ\u009f',
]);

const ibm285 = complete([
  ' \u00a0âäàáãåçñ$.<(+|',
  '&éêëèíîïìß!£*);¬',
  '-/ÂÄÀÁÃÅÇÑ¦,%_>?',
  'øÉÊËÈÍÎÏÌ`:#@\'="',
  'Øabcdefghi«»ðýþ±',
  '°jklmnopqrªºæ¸Æ¤',
  'µ‾stuvwxyz¡¿ÐÝÞ®',
  '¢[¥·©§¶¼½¾^]~¨´×',
  '{ABCDEFGHI\u00adôöòóõ',
  '}JKLMNOPQR¹ûüùúÿ',
  '\\÷STUVWXYZ²ÔÖÒÓÕ',
  '0123456789³ÛÜÙÚ\u009f',
]);

const ibm297 = complete([
  ' \u00a0âä@áãå\\ñ°.<(+!',
  '&{êë}íîïìß§$*);^',
  '-/ÂÄÀÁÃÅÇÑù,%_>?',
  'øÉÊËÈÍÎÏÌµ:£à\'="',
  'Øabcdefghi«»ðýþ±',
  '[jklmnopqrªºæ¸Æ¤',
  '`¨stuvwxyz¡¿ÐÝÞ®',
  '¢#¥·©]¶¼½¾¬|¯~´×',
  'éABCDEFGHI\u00adôöòóõ',
  'èJKLMNOPQR¹ûü¦úÿ',
  'ç÷STUVWXYZ²ÔÖÒÓÕ',
  '0123456789³ÛÜÙÚ\u009f',
]);

const ibm424 = complete([
  ' \u05d0\u05d1\u05d2\u05d3\u05d4\u05d5\u05d6\u05d7\u05d8¢.<(+|',
  '&\u05d9\u05da\u05db\u05dc\u05dd\u05de\u05df\u05e0\u05e1!$*);¬',
  '-/\u05e2\u05e3\u05e4\u05e5\u05e6\u05e7\u05e8\u05e9¦,%_>?',
  '\ufffd\u05ea\ufffd\ufffd\u00a0\ufffd\ufffd\ufffd⇔`:#@\'="',
  '\ufffdabcdefghi«»\ufffd\ufffd\ufffd\ufffd',
  '°jklmnopqr\ufffd\ufffd\ufffd¸\ufffd¤',
  'µ~stuvwxyz\ufffd\ufffd\ufffd\ufffd\ufffd®',
  '^£¥·©§¶¼½¾[]¯¨´×',
  '{ABCDEFGHI\u00ad\ufffd\ufffd\ufffd\ufffd\ufffd',
  '}JKLMNOPQR¹\ufffd\ufffd\ufffd\ufffd\ufffd',
  '\\÷STUVWXYZ²\ufffd\ufffd\ufffd\ufffd\ufffd',
  '0123456789³\ufffd\ufffd\ufffd\ufffd\u009f',
]);

const ibm500 = complete([
  ' \u00a0âäàáãåçñ[.<(+!',
  '&éêëèíîïìß]$*);^',
  '-/ÂÄÀÁÃÅÇÑ¦,%_>?',
  'øÉÊËÈÍÎÏÌ`:#@\'="',
  'Øabcdefghi«»ðýþ±',
  '°jklmnopqrªºæ¸Æ¤',
  'µ~stuvwxyz¡¿ÐÝÞ®',
  '¢£¥·©§¶¼½¾¬|¯¨´×',
  '{ABCDEFGHI\u00adôöòóõ',
  '}JKLMNOPQR¹ûüùúÿ',
  '\\÷STUVWXYZ²ÔÖÒÓÕ',
  '0123456789³ÛÜÙÚ\u009f',
]);

const ibm871 = complete([
  ' \u00a0âäàáãåçñþ.<(+!',
  '&éêëèíîïìßÆ$*);Ö',
  '-/ÂÄÀÁÃÅÇÑ¦,%_>?',
  'øÉÊËÈÍÎÏÌð:#Ð\'="',
  'Øabcdefghi«»`ý{±',
  '°jklmnopqrªº}¸]¤',
  'µöstuvwxyz¡¿@Ý[®',
  '¢£¥·©§¶¼½¾¬|¯¨\\×',
  'ÞABCDEFGHI\u00adô~òóõ',
  'æJKLMNOPQR¹ûüùúÿ',
  '´÷STUVWXYZ²Ô^ÒÓÕ',
  '0123456789³ÛÜÙÚ\u009f',
]);

const ibm875 = complete([
  ' ΑΒΓΔΕΖΗΘΙ[.<(+!',
  '&ΚΛΜΝΞΟΠΡΣ]$*);^',
  '-/ΤΥΦΧΨΩΪΫ\ufffd,%_>?',
  '¨ΆΈΉ∇ΊΌΎΏ`:#@\'="',
  '΅abcdefghiαβγδεζ',
  '°jklmnopqrηθικλμ',
  '´~stuvwxyzνξοπρσ',
  '£άέήϊίόύϋώςτυφχψ',
  '{ABCDEFGHI\u00adωΐΰ‘―',
  '}JKLMNOPQR±½\ufffd·’¦',
  '\\\ufffdSTUVWXYZ²§\ufffd\ufffd«¬',
  '0123456789³©\ufffd\ufffd»\u009f',
]);

const ibm1026 = complete([
  ' \u00a0âäàáãå{ñÇ.<(+!',
  '&éêëèíîïìßĞİ*);^',
  '-/ÂÄÀÁÃÅ[Ñş,%_>?',
  "øÉÊËÈÍÎÏÌı:ÖŞ'=Ü",
  'Øabcdefghi«»}`¦±',
  '°jklmnopqrªºæ˛Æ¤',
  'µöstuvwxyz¡¿]$@®',
  '¢£¥·©§¶¼½¾¬|—¨´×',
  'çABCDEFGHI\u00adô~òóõ',
  'ğJKLMNOPQR¹û\\ùúÿ',
  'ü÷STUVWXYZ²Ô#ÒÓÕ',
  '0123456789³Û"ÙÚ\u009f',
]);

const ibm1047 = complete([
  ' \u00a0âäàáãåçñ¢.<(+|',
  '&éêëèíîïìß!$*);^',
  '-/ÂÄÀÁÃÅÇÑ¦,%_>?',
  'øÉÊËÈÍÎÏÌ`:#@\'="',
  'Øabcdefghi«»ðýþ±',
  '°jklmnopqrªºæ¸Æ¤',
  'µ~stuvwxyz¡¿Ð[Þ®',
  '¬£¥·©§¶¼½¾Ý¨¯]´×',
  '{ABCDEFGHI\u00adôöòóõ',
  '}JKLMNOPQR¹ûüùúÿ',
  '\\÷STUVWXYZ²ÔÖÒÓÕ',
  '0123456789³ÛÜÙÚ\u009f',
]);

/** By code page number. */
export const codePageTables: Readonly<Record<number, CodePageTable>> = {
  37: ibm037,
  273: ibm273,
  277: ibm277,
  278: ibm278,
  280: ibm280,
  284: ibm284,
  285: ibm285,
  297: ibm297,
  424: ibm424,
  500: ibm500,
  871: ibm871,
  875: ibm875,
  1026: ibm1026,
  1047: ibm1047,
  1140: derived(ibm037, [[0x9f, '€']], [['‾', 0xbc]]),
  1141: derived(ibm273, [[0x9f, '€']], [['‾', 0xbc]]),
  1142: derived(ibm277, [[0x5a, '€']], [['‾', 0xbc]]),
  1143: derived(
    ibm278,
    [
      [0x5a, '€'],
      [0x71, '\\'],
      [0xe0, 'É'],
    ],
    [['‾', 0xbc]],
  ),
  1144: derived(ibm280, [[0x9f, '€']], [['‾', 0xbc]]),
  1145: derived(ibm284, [[0x9f, '€']], [['‾', 0xbc]]),
  1146: derived(
    ibm285,
    [
      [0x9f, '€'],
      [0xa1, '¯'],
    ],
    [['‾', 0xa1]],
  ),
  1147: derived(ibm297, [[0x9f, '€']], [['‾', 0xbc]]),
  1148: derived(ibm500, [[0x9f, '€']], [['‾', 0xbc]]),
  1149: derived(
    ibm871,
    [
      [0x4a, 'Þ'],
      [0x9f, '€'],
      [0xc0, 'þ'],
    ],
    [['‾', 0xbc]],
  ),
};
