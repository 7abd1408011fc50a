/** Of this process alone: what others do on the machine takes nothing of it. */
export function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
