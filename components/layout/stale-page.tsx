'use client'

import { staleText } from './stale-messages'
import { staleTextDe } from './stale-messages.de'

const words = { en: staleText, de: staleTextDe }

/** Takes the place of an error page that cannot be loaded: in every language, and without a script of others. */
export function StalePage() {
  return (
    <main className="mx-auto max-w-md px-4 py-12 sm:py-20">
      <div role="alert" className="grid gap-8">
        {Object.entries(words).map(([language, { stale, reload }]) => (
          <div key={language} lang={language} className="grid justify-items-start gap-3">
            <p className="text-lg font-semibold">{stale}</p>
            <button
              type="button"
              className="min-h-11 rounded-control border border-control bg-surface px-4 font-semibold"
              onClick={() => window.location.reload()}
            >
              {reload}
            </button>
          </div>
        ))}
      </div>
    </main>
  )
}
