// Reads a Dockerfile with the instructions that this project uses, and no others.
const COMMANDS_IN_JSON = new Set(['CMD', 'ENTRYPOINT']);

/** @returns {{ name: string | undefined, steps: { keyword: string, rest: string }[] }[]} stages in order */
export function stagesOf(text) {
  const stages = [];
  for (const line of logicalLines(text)) {
    const [, keyword = '', rest = ''] = /^([A-Z]+)\s+(.*)$/s.exec(line) ?? [];
    if (keyword === 'FROM') stages.push({ name: / AS (\S+)$/.exec(rest)?.[1], steps: [] });
    else if (keyword !== 'ARG') stages.at(-1)?.steps.push({ keyword, rest });
  }
  return stages;
}

function logicalLines(text) {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function imageSettings(steps) {
  const settings = { env: {}, workdir: '/', user: '0:0', volumes: [], entrypoint: [], cmd: [], health: [] };
  for (const { keyword, rest } of steps) {
    if (COMMANDS_IN_JSON.has(keyword)) settings[keyword.toLowerCase()] = JSON.parse(rest);
    else if (keyword === 'ENV') settings.env = { ...settings.env, ...pairOf(rest) };
    else if (keyword === 'WORKDIR') settings.workdir = rest;
    else if (keyword === 'USER') settings.user = rest;
    else if (keyword === 'VOLUME') settings.volumes.push(rest);
    else if (keyword === 'HEALTHCHECK') settings.health = JSON.parse(rest.slice(rest.indexOf('CMD') + 3));
  }
  return settings;
}

function pairOf(rest) {
  const at = rest.indexOf('=');
  return { [rest.slice(0, at)]: rest.slice(at + 1) };
}
