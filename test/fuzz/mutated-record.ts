/** A record with some bytes changed, left out, added or said twice. */
export function mutatedRecord(record: Uint8Array, random: () => number): Uint8Array {
  const changed = [...record];
  const changes = Math.floor(random() * 6);
  for (let change = 0; change < changes; change++) {
    const at = Math.floor(random() * (changed.length + 1));
    const byte = Math.floor(random() * 256);
    const way = random();
    if (way < 0.5) changed[at] = byte;
    else if (way < 0.7) changed.splice(at, 1);
    else if (way < 0.9) changed.splice(at, 0, byte);
    else changed.push(...changed.slice(0, at));
  }
  return Uint8Array.from(changed);
}
