export type { WitnessStatement } from './checks/witness.ts'
export type { Finding, Part, Status } from './findings.ts'
export { NotAPack, type Report, type Verdict, type VerifyOptions, verifyPack } from './verify.ts'
