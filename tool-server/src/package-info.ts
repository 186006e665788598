/** What this package calls itself towards hosts and servers. */
export const PACKAGE_INFO = { name: '@countersign/tools', version: '0.1.0' } as const
