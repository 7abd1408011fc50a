export interface Member {
  readonly name: string;
  readonly title: string;
  readonly changed: string;
  readonly lines: readonly string[];
}

const MEMBERS = 60;
const kinds = [
  { prefix: 'RATE', title: 'currency rates', verb: 'COMPUTE WS-RESULT = WS-AMOUNT * WS-RATE' },
  { prefix: 'ACCT', title: 'account maintenance', verb: 'MOVE WS-NAME TO ACCOUNT-NAME' },
  { prefix: 'CUST', title: 'customer records', verb: 'READ CUSTOMER-FILE INTO WS-CUSTOMER' },
  { prefix: 'PRNT', title: 'statement printing', verb: 'WRITE PRINT-LINE AFTER ADVANCING 1 LINE' },
] as const;

/** Invented source members with realistic length and layout. */
export const members: readonly Member[] = Array.from({ length: MEMBERS }, (_, at) => {
  const kind = kinds[at % kinds.length] ?? kinds[0];
  const name = `${kind.prefix}${String(Math.floor(at / kinds.length) + 1).padStart(4, '0')}`;
  const day = String((at % 28) + 1).padStart(2, '0');
  return {
    name,
    title: kind.title,
    changed: `2026-0${(at % 9) + 1}-${day}`,
    lines: sourceOf(name, kind, 20 + (at % 7) * 15),
  };
});

const memberName = /^SALLY\.SAMPLE\.SOURCE\((\w{1,8})\)$/;

/** Source of `SALLY.SAMPLE.SOURCE(NAME)`; undefined if the member does not exist. */
export function linesOfMember(dataSet: string): readonly string[] | undefined {
  const name = memberName.exec(dataSet)?.[1];
  return members.find((member) => member.name === name)?.lines;
}

function sourceOf(name: string, kind: (typeof kinds)[number], steps: number): string[] {
  const lines = [
    '       IDENTIFICATION DIVISION.',
    `       PROGRAM-ID. ${name}.`,
    `      * ${kind.title.toUpperCase()}`,
    '       DATA DIVISION.',
    '       WORKING-STORAGE SECTION.',
    '       01  WS-COUNT            PIC 9(8) COMP.',
    '       PROCEDURE DIVISION.',
    '       MAIN SECTION.',
  ];
  for (let step = 1; step <= steps; step++) {
    lines.push(
      `       STEP-${String(step).padStart(3, '0')}.`,
      `           ADD 1 TO WS-COUNT.`,
      `           ${kind.verb}.`,
    );
  }
  lines.push('           GOBACK.');
  return lines.map((line, at) => `${String((at + 1) * 100).padStart(6, '0')} ${line.slice(6)}`);
}
