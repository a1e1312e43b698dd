//! `incrowd policies`: rules that publishers follow, and what each promises here.
//!
//! It prints pages that the library makes; it must never say a percentage of its own. It is separate because it takes
//! no request. Read `incrowd_release::policy_page` for what is on them.

use crate::args::{PoliciesCommand, PrintFormat};
use crate::failure::Failure;
use crate::terminal::{Printed, print_json};
use incrowd_engine::nearest;
use incrowd_release::policy_page::{PolicyAnswers, list_json, list_page};
use incrowd_release::request::Policy;

/// Runs the command.
pub fn run(command: &PoliciesCommand, format: PrintFormat) -> Result<(), Failure> {
    let Some(name) = &command.name else {
        if format == PrintFormat::Json {
            return print_json(&list_json());
        }
        let closing = "In a request: policy = \"NAME\", before any section. Next: incrowd policies NAME";
        let printed = Printed { closing, ..Printed::only("Policies", vec![list_page()?]) };
        return printed.print(format);
    };
    let answers = PolicyAnswers::of(named(name)?)?;
    if format == PrintFormat::Json {
        return print_json(&answers.to_json());
    }
    Printed::only("Policy", vec![answers.page()]).print(format)
}

/// Returns the policy of this name, or which there are.
pub fn named(name: &str) -> Result<&'static Policy, Failure> {
    let all = || Policy::all().iter().map(|policy| policy.name);
    Policy::named(name).ok_or_else(|| {
        let near = nearest(name, all()).map(|near| format!("did you mean {near}? ")).unwrap_or_default();
        let listed = all().collect::<Vec<_>>().join(", ");
        Failure::usage(
            format!("there is no policy {name:?}"),
            format!("{near}The policies are: {listed}. For another size: incrowd init DATA --protect-below N"),
        )
    })
}
