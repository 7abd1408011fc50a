/**
 * Coded graphic character set global identifiers, as the Character Sets reply names them: graphic character set << 16 |
 * code page (IBM's registry).
 */
interface CharacterSetIdentifiers {
  readonly singleByte: number;
  readonly doubleByte: number | undefined;
}

/** Latin 1: the set of most pages. */
const LATIN_1 = 697;
/** Latin 1 with the euro sign. */
const LATIN_1_EURO = 695;

/** Pages whose set is not Latin 1: `[set, page]`, and for a mixed page `[set, page]` of its double-byte half. */
const others: Readonly<Record<number, readonly [number, number, number?, number?]>> = {
  420: [235, 420],
  423: [218, 423],
  424: [941, 424],
  803: [1147, 803],
  870: [959, 870],
  875: [925, 875],
  880: [960, 880],
  905: [1286, 905],
  918: [1160, 918],
  930: [1172, 290, 370, 300],
  933: [1173, 833, 934, 834],
  935: [1174, 836, 1080, 837],
  937: [1175, 37, 935, 835],
  939: [1172, 1027, 370, 300],
  1025: [1150, 1025],
  1026: [1152, 1026],
  1097: [1219, 1097],
  1112: [1305, 1112],
  1122: [1307, 1122],
  1123: [1326, 1123],
  1130: [1336, 1130],
  1132: [1341, 1132],
  1137: [1468, 1137],
  1153: [1375, 1153],
  1154: [1381, 1154],
  1155: [1378, 1155],
  1156: [1393, 1156],
  1157: [1391, 1157],
  1158: [1388, 1158],
  1160: [1395, 1160],
  1164: [1397, 1164],
  1166: [1726, 1166],
  1364: [1173, 833, 934, 834],
  1371: [1175, 1159, 935, 835],
  1388: [1174, 836, 937, 837],
  1390: [1172, 290, 1001, 300],
  1399: [1172, 1027, 1001, 300],
};

/** @param page number of the code page; an unknown one is reported as Latin 1 */
export function findCharacterSetIdentifiers(page: number): CharacterSetIdentifiers {
  const isEuro = page >= 1140 && page <= 1149;
  const [set, number, doubleSet, doublePage] = others[page] ?? [isEuro ? LATIN_1_EURO : LATIN_1, page];
  return {
    singleByte: (set << 16) | number,
    doubleByte: doubleSet === undefined || doublePage === undefined ? undefined : (doubleSet << 16) | doublePage,
  };
}
