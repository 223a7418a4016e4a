//! Counts and durations of requests by route pattern, for Prometheus.

use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

use actix_web::{HttpResponse, Responder, web::Data};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

const REQUESTS: &str = "redwing_http_requests_total";
const DURATION_S: &str = "redwing_http_request_duration_seconds";
const BUCKETS_S: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

/// How often durations are merged into their buckets.
pub const UPKEEP: Duration = Duration::from_secs(5);

/// Returns the recorder of this process. Nothing is recorded before the first call.
pub fn recorder() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE
        .get_or_init(|| {
            let builder = PrometheusBuilder::new()
                .set_buckets(&BUCKETS_S)
                .expect("there are buckets");
            let recorder = builder.build_recorder();
            let handle = recorder.handle();
            metrics::set_global_recorder(recorder)
                .expect("no other recorder is set in this process");
            metrics::describe_counter!(REQUESTS, "Requests answered.");
            metrics::describe_histogram!(
                DURATION_S,
                metrics::Unit::Seconds,
                "Time from a request's head to its answer's."
            );
            handle
        })
        .clone()
}

pub fn record(method: &'static str, route: String, status: u16, since: Instant) {
    metrics::counter!(REQUESTS, "method" => method, "route" => route.clone(), "status" => status.to_string()).increment(1);
    metrics::histogram!(DURATION_S, "method" => method, "route" => route)
        .record(since.elapsed().as_secs_f64());
}

pub async fn show(handle: Data<PrometheusHandle>) -> impl Responder {
    HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4; charset=utf-8")
        .body(handle.render())
}
