import { join } from 'node:path';
import { installationFolder } from '../../src/config/installation.js';
import { sallyport } from './contender.js';
import { residentMebibytes } from './process-usage.js';
import type { TestBed } from './test-bed.js';

export interface MemorySample {
  readonly requests: number;
  readonly residentMebibytes: number;
  /** In use after a full garbage collection. */
  readonly heapMebibytes: number;
}

export interface SoakResult {
  readonly samples: readonly MemorySample[];
  readonly seconds: number;
  readonly isWhereItWas: boolean;
}

const FIRST_SAMPLE = 10_000;
const SAMPLE_INTERVAL = 50_000;
const CONNECTIONS = 128;

/** Allowed growth between the first and the last sample. */
export const soakTolerance = { heapMebibytes: 1, residentMebibytes: 24 } as const;

export async function soak(bed: TestBed, requests: number, tell: (words: string) => void): Promise<SoakResult> {
  const preload = join(installationFolder, 'bench', 'scenario', 'programs', 'memory-answers.mjs');
  const running = await bed.start(sallyport, ['--import', preload]);
  const samples: MemorySample[] = [];
  const begin = performance.now();
  let sent = 0;
  while (sent < requests) {
    const target = Math.min(requests, sent === 0 ? FIRST_SAMPLE : nextSample(sent));
    await bed.send(running, CONNECTIONS, { requests: target - sent });
    sent = target;
    const resident = residentMebibytes(running.process.pid, 'VmRSS');
    const { heapBytes } = await running.process.ask<{ heapBytes: number }>('memory');
    const sample = { requests: sent, residentMebibytes: resident, heapMebibytes: heapBytes / 2 ** 20 };
    samples.push(sample);
    tell(
      `soak: ${sent} requests, ${sample.residentMebibytes.toFixed(1)} MiB resident, ${sample.heapMebibytes.toFixed(2)} MiB of heap`,
    );
  }
  const seconds = (performance.now() - begin) / 1_000;
  await running.process.stop();
  return { samples, seconds, isWhereItWas: isWhereItWas(samples) };
}

function nextSample(sent: number): number {
  return (Math.floor(sent / SAMPLE_INTERVAL) + 1) * SAMPLE_INTERVAL;
}

function isWhereItWas(samples: readonly MemorySample[]): boolean {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return false;
  return (
    last.heapMebibytes - first.heapMebibytes <= soakTolerance.heapMebibytes &&
    last.residentMebibytes - first.residentMebibytes <= soakTolerance.residentMebibytes
  );
}
