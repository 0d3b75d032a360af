/** `npm run worker`: one worker, in this process, beside gateways that share MongoDB and Redis. */
export async function work(): Promise<void> {
  await import('../gateway/worker-main.ts')
}

if (import.meta.main) await work()
