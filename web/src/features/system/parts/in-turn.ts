/** Calls that must reach the server in the order in which they were asked for: each waits for the one before, however that ended. */
export class InTurn {
  private last: Promise<unknown> = Promise.resolve();

  next<T>(run: () => Promise<T>): Promise<T> {
    const mine = this.last.then(run, run);
    this.last = mine;
    return mine;
  }

  /** Fulfilled once nothing waits any more. */
  async idle(): Promise<void> {
    let seen: Promise<unknown> | undefined;
    while (seen !== this.last) {
      seen = this.last;
      await seen.catch(() => undefined);
    }
  }
}
