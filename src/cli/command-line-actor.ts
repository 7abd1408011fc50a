import { userInfo } from 'node:os';
import type { Actor } from '../access/audit/audit-entry.js';

export function commandLineActor(): Actor {
  return { who: `command line: ${operatingSystemUser()}`, from: 'command line' };
}

function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
