'use client'

import type { ReactNode } from 'react'
import { isPortalError, wayOut } from '@/components/api/client'
import { useRetry, useWasSent } from '@/components/api/use-retry'
import type { Locale } from '@/components/i18n/locale'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import { textIn } from '@/components/i18n/texts'
import { isOffline } from '@/components/lib/offline'
import { readRequestError } from '@/components/lib/request-error'
import { Button } from './button'
import { CopyButton } from './copy-button'
import { Disclosure } from './disclosure'
import { failureTexts } from './failure-messages'
import { Notice } from './notice'
import { AtTop } from './notices'

interface RequestFailureProps {
  readonly error: unknown
  /** Retries in another way than by sending the same request again. */
  readonly onRetry?: (() => void) | undefined
  /** Whether it failed before the pressed action was sent. */
  readonly isUnsent?: boolean
}

/**
 * Says why a call to the server failed and what to do; "Details" has the request id, by which the operator finds it.
 */
export function RequestFailure({ error, onRetry, isUnsent = false }: RequestFailureProps) {
  const text = useText(failureTexts)
  const { code, requestId } = readRequestError(error)
  const again = useRetry(error, code !== null)
  const wasSent = useWasSent(error)
  const signIn = signInAfter(error)
  if (signIn !== null) {
    return <Failure title={text.signedOut} mend={{ label: text.signIn, onPress: signIn }} />
  }
  const retry = onRetry ?? again
  const mend = retry === undefined ? null : { label: text.retry, onPress: retry }
  if (code === null && wasSent && !isUnsent) return <Failure title={text.lost} mend={mend} />
  if (code === null && isOffline()) return <Failure title={text.offline} mend={mend} />
  return (
    <Failure title={text.title} mend={mend}>
      <Reason error={error} />
      {requestId === null ? null : <RequestId id={requestId} />}
    </Failure>
  )
}

/** Loads the texts beforehand, so that they can be shown when the server is out of reach. */
export async function loadFailureWords(locale: Locale): Promise<void> {
  await Promise.resolve(textIn(failureTexts, locale)).catch(() => undefined)
}

/** Returns a function that goes to the sign-in page, where the session has ended; else null. */
function signInAfter(error: unknown): (() => void) | null {
  if (!isPortalError(error) || error.data?.httpStatus !== 401) return null
  return wayOut(error.data)
}

interface FailureProps {
  readonly title: string
  readonly mend: { readonly label: string; readonly onPress: () => void } | null
  readonly children?: ReactNode
}

function Failure({ title, mend, children }: FailureProps) {
  const action =
    mend === null ? undefined : (
      <Button variant="secondary" size="sm" onClick={mend.onPress}>
        {mend.label}
      </Button>
    )
  return (
    <AtTop>
      <Notice tone="danger" role="alert" title={title} action={action}>
        {children}
      </Notice>
    </AtTop>
  )
}

function Reason({ error }: { readonly error: unknown }) {
  const text = useText(failureTexts)
  const { code, message } = readRequestError(error)
  // The service's messages are English, so readers of another language get a less specific text in theirs.
  const said = useLocale() === 'de' ? null : message
  const known = code === null ? text.unreachable : text.refusals[code]
  return <p>{known ?? said ?? text.unknown}</p>
}

interface RequestIdProps {
  readonly id: string
  readonly label?: string
}

/** Shows the request id by which the operator finds a failure, folded, since it means nothing to the person. */
export function RequestId({ id, label }: RequestIdProps) {
  const text = useText(failureTexts)
  const name = label ?? text.requestId
  return (
    <Disclosure summary={text.details} look="inline">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <span>
          {name} <code className="break-all font-mono">{id}</code>
        </span>
        <CopyButton value={id} what={name} />
      </p>
    </Disclosure>
  )
}
