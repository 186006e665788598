/** Gathers the metrics of workers, for the one whose `/metrics` was asked (server/base/platform/telemetry/workers.ts). */

const ANSWER_WITHIN_MS = 1_000

/** Asks the workers for their metrics; resolves to those that came in time. */
export async function gatherReports(workers) {
  const reports = await Promise.all(workers.map(reportOf))
  return reports.filter((report) => report !== null)
}

/** Returns the metrics of a worker; null when it does not answer in time or ends. */
function reportOf(worker) {
  return new Promise((resolve) => {
    const finish = (report) => {
      clearTimeout(timer)
      worker.off('message', take).off('exit', giveUp)
      resolve(report)
    }
    const take = ({ reported }) => reported !== undefined && finish(reported)
    const giveUp = () => finish(null)
    const timer = setTimeout(giveUp, ANSWER_WITHIN_MS)
    worker.on('message', take).once('exit', giveUp)
    worker.send({ report: true }, (error) => error && giveUp())
  })
}
