/** What `--wait` sets, on the command line and in programs. */

/** The variable that the clients and the provider process read: seconds. The clocks of this machine and of the service may differ by some minutes. */
export const WAITS_FOR_NEXT_HOUR = { WORKSPACE_AUTOMATION_RATE_LIMIT_WAIT: String(65 * 60) } as const;
