import * as z from 'zod'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { plainLine } from '../../base/contract/wire'

/** The actions that a person confirms by step-up: with a passkey, or with a session that was opened recently. */
export const stepUpPurposes = [
  'consent.approve',
  'limits.raise',
  'bump.approve',
  'agent.connect',
  'passkey.remove',
  'passkey.add',
  'recovery.codes',
  'card.add',
  'card.choose',
  'credential.offer',
  'security.relax',
  'age.prove',
  'security.undo',
  'privacy.data',
] as const
export type StepUpPurpose = (typeof stepUpPurposes)[number]

/** The age below which a session confirms for a person without passkeys. */
export const FRESH_SESSION_SECONDS = 15 * 60
export const CHALLENGE_TTL_SECONDS = 2 * 60
/** Longer, because people may have to look for their security key. */
export const REGISTRATION_TTL_SECONDS = 5 * 60
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX = 60
/** Recovery codes made at a time, and wrong ones that one session may try in an hour. */
export const RECOVERY_CODES = 10
export const RECOVERY_TRIES_PER_HOUR = 10
/** Challenges for a sign-in in a minute, for one network address. */
export const SIGN_IN_CHALLENGES_PER_MINUTE = 300

const base64url = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\w-]+$/, { error: 'must be base64url' })

/** Credential ids have up to 1023 bytes (WebAuthn section 4). */
const passkeyId = base64url(1_364)
const attachment = z.enum(['platform', 'cross-platform']).nullish()
/** No extension is requested, so the results that a browser reports are dropped. */
const noExtensions = z.object({})

/** `AuthenticationResponseJSON` of WebAuthn section 5.1.8, in the parts that are checked. */
export const authenticationResponse = z.object({
  id: passkeyId,
  rawId: passkeyId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4_096),
    authenticatorData: base64url(4_096),
    signature: base64url(4_096),
    userHandle: base64url(88).nullish(),
  }),
  authenticatorAttachment: attachment,
  clientExtensionResults: noExtensions,
})
export type AuthenticationResponse = z.output<typeof authenticationResponse>

/** `RegistrationResponseJSON` of WebAuthn section 5.1.8, in the parts that are checked. */
export const registrationResponse = z.object({
  id: passkeyId,
  rawId: passkeyId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4_096),
    attestationObject: base64url(32_768),
    transports: z.array(z.string().max(32)).max(10).nullish(),
  }),
  authenticatorAttachment: attachment,
  clientExtensionResults: noExtensions,
})

export type RegistrationResponse = z.output<typeof registrationResponse>

export const challengeId = z.string().min(1).max(64)

/** A passkey's response to a challenge of `stepUpOptions`. */
export const stepUpProof = z.strictObject({ challenge_id: challengeId, response: authenticationResponse })
export type StepUpProof = z.output<typeof stepUpProof>
/** The member of requests that are sent again with a proof once the person has confirmed. */
export const confirmable = { proof: stepUpProof.optional() }

/** The action to confirm, as the page shows it; the server compares it with what it would do. */
const stepUpAction = z.strictObject({
  purpose: z.enum(stepUpPurposes),
  subject: z.record(z.string().max(100), z.unknown()),
})
export type StepUpAction = z.output<typeof stepUpAction>

interface CredentialHint {
  id: string
  type: 'public-key'
  transports: string[]
}

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn section 5.1.10, as this service fills it. */
export interface PasskeyRequest {
  challenge: string
  rpId: string
  /** Milliseconds. */
  timeout: number
  userVerification: 'required'
  /** Empty when any passkey of this site may respond. */
  allowCredentials: CredentialHint[]
}

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn section 5.1.9, as this service fills it. */
export interface PasskeyCreation {
  challenge: string
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  pubKeyCredParams: { type: 'public-key'; alg: number }[]
  /** Milliseconds. */
  timeout: number
  excludeCredentials: CredentialHint[]
  authenticatorSelection: { residentKey: 'required'; requireResidentKey: true; userVerification: 'required' }
  attestation: 'none'
}

/** A signed confirmation with all that is needed to verify it later, without any other state. */
export interface PasskeyEvidence {
  readonly method: 'passkey'
  readonly passkey_id: string
  readonly nonce: string
  /** SHA-256 over the canonical JSON of purpose, principal, subject and nonce. */
  readonly challenge: string
  readonly response: {
    readonly authenticator_data: string
    readonly client_data_json: string
    readonly signature: string
  }
  /** The COSE key that verifies it, as base64url. */
  readonly public_key: string
}

/** How a person confirmed an action; `token` when a wallet token sufficed without a confirmation. */
export type StepUpEvidence =
  | PasskeyEvidence
  | { readonly method: 'magic_link' | 'demo'; readonly session_id_hash: string }
  | { readonly method: 'token' }

/** How a person can confirm the undoing of a change; `link` when only the link in the earlier mailbox undoes it. */
export type UndoWay = 'passkey' | 'session' | 'sign_in' | 'link'

const passkeyName = plainLine(PASSKEY_NAME_MAX).min(1, { error: 'Give the passkey a name' })

const recoveryCode = z.string().min(1).max(100)

const registration = z.strictObject({
  challenge_id: challengeId,
  name: passkeyName,
  response: registrationResponse,
  /** The recovery code that started the registration; absent when something else did. */
  code: recoveryCode.optional(),
})
export type Registration = z.output<typeof registration>

export const stepUpOptionsProcedure = definePortalProcedure({ input: stepUpAction })
export const startRegistrationProcedure = definePortalProcedure({
  input: z.strictObject(confirmable),
  stepUp: 'passkey.add',
})
export const registerPasskeyProcedure = definePortalProcedure({ input: registration, rotating: true })
export const renamePasskeyProcedure = definePortalProcedure({
  input: z.strictObject({ id: passkeyId, name: passkeyName }),
})
export const removePasskeyProcedure = definePortalProcedure({
  input: z.strictObject({ id: passkeyId, ...confirmable }),
  stepUp: 'passkey.remove',
  rotating: true,
})
export const requirePasskeysProcedure = definePortalProcedure({
  input: z.strictObject({ required: z.boolean(), ...confirmable }),
  stepUp: 'security.relax',
  rotating: true,
})

export const makeRecoveryCodesProcedure = definePortalProcedure({
  input: z.strictObject(confirmable),
  stepUp: 'recovery.codes',
})
export const startRecoveryProcedure = definePortalProcedure({
  input: z.strictObject({ code: recoveryCode }),
})

/** The number of recovery codes that are left, and when they were made; null for a person without any. */
export type RecoveryView = { readonly left: number; readonly made_at: string } | null

export interface PasskeyView {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
  /** Whether the passkey is synchronised to the person's other devices. */
  readonly synced: boolean
}

export interface PasskeysView {
  /** Whether this installation's address allows passkeys. */
  readonly available: boolean
  readonly required: boolean
  /** False where the last passkey is required or the only way to sign in. */
  readonly last_removable: boolean
  readonly passkeys: readonly PasskeyView[]
}
