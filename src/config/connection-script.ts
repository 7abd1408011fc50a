/** Orders that a connection script may hold where there is no host to talk to (application type 2). */
const ordersWithoutHost = {
  '&/S': 'runs the INITIAL scenario',
  '&/T': 'sends the preceding text to the terminal',
  '&/K': 'ends',
} as const;

/** Whether a connection script runs the INITIAL scenario (specification 2.2). */
export function runsInitialScenario(script: string): boolean {
  return ordersOf(script).includes('&/S');
}

/**
 * Checks the connection script of a transaction without a host: text, `&/S`, `&/T`, `&/K`, and `&&` for an ampersand.
 *
 * @returns what is wrong with it, or undefined
 */
export function faultOfScriptWithoutHost(script: string): string | undefined {
  for (const order of ordersOf(script)) {
    if (order === '&&' || order in ordersWithoutHost) continue;
    const guess = order.toUpperCase() in ordersWithoutHost ? ` (did you mean "${order.toUpperCase()}"?)` : '';
    const known = Object.entries(ordersWithoutHost).map(([name, effect]) => `${name} (${effect})`);
    return `unknown order "${order}"${guess}: expected text, && or one of ${known.join(', ')}`;
  }
  return undefined;
}

function ordersOf(script: string): string[] {
  return script.match(/&(&|\/.|.)?/gs) ?? [];
}
