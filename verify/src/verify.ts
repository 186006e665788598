import { checkApproval, compareItems } from './checks/approval.ts'
import { checkAudit } from './checks/audit.ts'
import { checkMandate } from './checks/mandate.ts'
import { checkPayment, noteCreation, stateParties } from './checks/payment.ts'
import { checkReceipt } from './checks/receipt.ts'
import { checkSeal } from './checks/seal.ts'
import { checkRefunds, checkSettlement } from './checks/settlement.ts'
import { checkWitness, type WitnessStatement } from './checks/witness.ts'
import { type Context, compareMoments } from './context.ts'
import { KeySet } from './documents.ts'
import { isJsonObject } from './encoding.ts'
import { type Finding, Findings } from './findings.ts'
import { readIssuer } from './issuer.ts'
import { parseStrictJson } from './strict-json.ts'
import { summarise } from './summary.ts'

const PACK_TYPE = 'countersign-evidence'
/** Version 2 adds the rule `approved_over_limit`. */
const PACK_VERSIONS: readonly unknown[] = [1, 2]

/** The text is not a pack of a supported version. */
export class NotAPack extends Error {}

export interface VerifyOptions {
  /**
   * A JWK set that the reader trusts, from the server's `/oauth/jwks.json`; without it the pack's own keys are used.
   */
  readonly jwks?: unknown
  /** The time of the check; now by default. */
  readonly now?: Date
  readonly witness?: WitnessStatement
}

/**
 * `proven`: everything, with keys that the reader trusts. `consistent`: everything agrees, with the pack's own keys.
 * `incomplete`: nothing is wrong, but not everything can be proven. `wrong`: altered or contradictory.
 */
export type Verdict = 'proven' | 'consistent' | 'incomplete' | 'wrong'

export interface Report {
  readonly verdict: Verdict
  /** The verdict in the first line, and then what happened, in plain words. */
  readonly summary: readonly string[]
  readonly findings: readonly Finding[]
  readonly keys: {
    readonly from: 'reader' | 'pack' | 'nowhere'
    /** The kids of the keys that have checked signatures. */
    readonly used: readonly string[]
  }
}

/**
 * Checks a pack: every signature, hash and proof, and that the parts agree. Sends no requests.
 * @throws NotAPack for a text that is no pack of version 1 or 2
 */
export async function verifyPack(text: string, options: VerifyOptions = {}): Promise<Report> {
  const pack = readPack(text)
  const findings = new Findings()
  const { keys, from } = chooseKeys(pack['keys'], options.jwks, findings)
  const issuer = await readIssuer(pack, keys, findings)
  const context: Context = { pack, issuer, keys, findings, moments: [] }
  await checkSeal(context)
  checkPayment(context)
  await checkParts(context, options.witness)
  findings.compareFacts()
  compareMoments(context)
  requirePast(context, options.now ?? new Date())
  stateParties(context)
  const verdict = verdictOf(findings, from)
  const report = { verdict, findings: findings.list, keys: { from, used: keys?.used ?? [] } }
  return { ...report, summary: summarise(context, report) }
}

function readPack(text: string) {
  let pack: unknown
  try {
    pack = parseStrictJson(text)
  } catch (cause) {
    throw new NotAPack(`The file cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
  if (!isJsonObject(pack) || !('seal' in pack || 'type' in pack || 'payment' in pack)) {
    throw new NotAPack('The file is not a pack of evidence.')
  }
  const { type = PACK_TYPE, version = PACK_VERSIONS[0] } = pack
  if (type !== PACK_TYPE) throw new NotAPack('The file is not a pack of evidence: its member "type" says otherwise.')
  if (!PACK_VERSIONS.includes(version))
    throw new NotAPack('The pack is not of a version that is known here: its member "version" says otherwise.')
  return pack
}

type KeyOrigin = Report['keys']['from']

function chooseKeys(own: unknown, trusted: unknown, findings: Findings): { keys: KeySet | null; from: KeyOrigin } {
  if (trusted !== undefined) return { keys: new KeySet(trusted), from: 'reader' }
  if (own === undefined) {
    findings.missing('keys', 'The pack has no keys, and none were given: no signature can be checked.')
    return { keys: null, from: 'nowhere' }
  }
  try {
    return { keys: new KeySet(own), from: 'pack' }
  } catch (error) {
    findings.wrong('keys', error instanceof Error ? error.message : String(error))
    return { keys: null, from: 'nowhere' }
  }
}

/** Runs the checks in the order of the events, so that times are noted in order. */
async function checkParts(context: Context, witness: WitnessStatement | undefined): Promise<void> {
  await checkApproval(context)
  compareItems(context)
  await checkMandate(context)
  checkSettlement(context)
  await checkReceipt(context)
  checkRefunds(context)
  const tree = await checkAudit(context)
  if (witness !== undefined) await checkWitness(context, { witness, tree })
  noteCreation(context)
}

function requirePast({ moments, findings }: Context, now: Date): void {
  const limit = now.getTime() / 1000 + 300
  for (const { what, part, at } of moments) findings.require(part, at <= limit, `By the ${part} ${what} in the future.`)
}

function verdictOf({ list }: Findings, from: KeyOrigin): Verdict {
  if (list.some(({ status }) => status === 'wrong')) return 'wrong'
  if (list.some(({ status }) => status === 'missing')) return 'incomplete'
  return from === 'reader' ? 'proven' : 'consistent'
}
