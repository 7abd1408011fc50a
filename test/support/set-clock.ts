const RealDate = Date;

/** Shifts the clock of the whole process; the server code is unchanged. */
export function setClock(ahead: number): void {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, made) =>
      Reflect.construct(target, given.length === 0 ? [target.now() + ahead] : given, made),
    get: (target, key) => (key === 'now' ? () => target.now() + ahead : Reflect.get(target, key)),
  });
}

export function setClockBack(): void {
  globalThis.Date = RealDate;
}
