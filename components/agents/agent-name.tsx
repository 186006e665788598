import { plainName } from '@/components/lib/plain-text'

/** A name that ends with the tail of the agent's key. */
const WITH_TAIL = /^(.*)( …[\w-]{4})$/s

/** What an agent is called, on one line: a long name is cut, and the tail of its key never is. */
export function AgentName({ label }: { readonly label: string }) {
  const name = plainName(label)
  const [, start = name, tail = ''] = WITH_TAIL.exec(name) ?? []
  return (
    <bdi className="flex min-w-0 whitespace-pre tight:flex-wrap">
      <span className="one-line">{start}</span>
      {tail === '' ? null : <span className="shrink-0">{tail}</span>}
    </bdi>
  )
}
