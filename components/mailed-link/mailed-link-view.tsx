'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { addressToken } from '@/components/lib/address-token'
import type { MailedLinkView as MailedLink } from '@/components/lib/api-types'
import { readRequestError } from '@/components/lib/request-error'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Button, ButtonLink } from '@/components/ui/button'
import { RequestFailure } from '@/components/ui/request-failure'
import { Fact, Facts, Words } from './link-words'
import { mailedLinkTexts } from './messages'

const { useToken, forget } = addressToken('countersign.mailed-link-token')

/**
 * Says what a mailed link will do before it is used. Mail scanners follow links, so only the person's press uses one.
 */
export function MailedLinkView() {
  const text = useText(mailedLinkTexts)
  const trpc = useTRPC()
  const hydrated = useHydrated()
  const token = useToken()
  const { mutateAsync: readLink } = useMutation(trpc.links.read.mutationOptions())
  const read = useQuery({
    queryKey: ['mailed link', token],
    queryFn: () => readLink({ token: token ?? '' }),
    enabled: token !== null,
    staleTime: Infinity,
  })
  const isUnreadable = read.isError && readRequestError(read.error).code === 'invalid_request'
  if (hydrated && (token === null || isUnreadable)) return <Ended words={text.gone} />
  if (read.isError) return <RequestFailure error={read.error} onRetry={() => void read.refetch()} />
  if (token === null || read.data === undefined) return <Words title={text.title} />
  const { link } = read.data
  if (link === null) return <Ended words={text.gone} />
  return link.used ? <Ended words={text.used} /> : <Question token={token} link={link} />
}

interface EndedProps {
  readonly words: { readonly title: string; readonly body: string }
  readonly role?: 'alert' | 'status'
}

function Ended({ words, role = 'alert' }: EndedProps) {
  const text = useText(mailedLinkTexts)
  return (
    <>
      <Words {...words} role={role} />
      <ButtonLink href="/sign-in" variant="secondary">
        {text.signIn}
      </ButtonLink>
    </>
  )
}

function Question({ token, link }: { readonly token: string; readonly link: MailedLink }) {
  const text = useText(mailedLinkTexts)
  const trpc = useTRPC()
  const confirm = useMutation(trpc.links.confirm.mutationOptions({ onSuccess: forget }))
  const words = text[link.purpose]
  if (confirm.isSuccess) return <Ended words={words.done} role="status" />
  const code = confirm.isError ? readRequestError(confirm.error).code : null
  if (code === 'not_found') return <Ended words={text.gone} />
  if (code === 'conflict') return <Ended words={text.used} />
  return (
    <>
      <Words title={words.title} body={words.body} />
      <Facts>
        <Fact name={words.about}>{link.about}</Fact>
        <Fact name={text.wallet}>{walletOf(link, text.walletOf)}</Fact>
      </Facts>
      {confirm.isError ? <RequestFailure error={confirm.error} /> : null}
      <Button size="lg" busy={confirm.isPending} onClick={() => confirm.mutate({ token })}>
        {words.submit}
      </Button>
      <p className="text-sm text-muted">{text.leave}</p>
    </>
  )
}

function walletOf({ wallet: { name, email } }: MailedLink, both: (name: string, email: string) => string): string {
  return name !== null && email !== null ? both(name, email) : (name ?? email ?? '')
}
