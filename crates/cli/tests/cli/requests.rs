//! Requests for every kind of promise and every mechanism.
//!
//! Small groups and large epsilons, so that all tests together take seconds. It is separate because pages, laws and
//! numbers use the same ones. Read `plans.rs` for what is done with them.

/// A request with this promise and these further sections.
pub fn promising(promise: &str, rest: &str) -> String {
    format!("release = \"histogram\"\n\n[promise]\n{promise}\n{rest}")
}

/// One promise of every kind.
pub const PROMISES: [(&str, &str); 9] = [
    ("differential-privacy", "kind = \"differential-privacy\"\nepsilon = 0.5"),
    ("group", "kind = \"group\"\ngroup = 10\nepsilon = 1"),
    ("crowd-blending", "kind = \"crowd-blending\"\ncrowd = 20\nepsilon = \"1/10\""),
    ("simple-outlier", "kind = \"simple-outlier\"\ngroup = 10\nepsilon = 1"),
    ("simple-outlier-dp", "kind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1"),
    ("staircase", "kind = \"staircase\"\nthresholds = [20, 5]\nepsilons = [1, \"1/2\", \"1/5\"]"),
    ("linear", "kind = \"linear\"\nslope = \"1/10\"\nfloor = \"1/5\"\ncap = 2"),
    ("fading", "kind = \"fading\"\ngroup = 20\nwidth = 4\nepsilon = 1"),
    ("table", "kind = \"table\"\nvalues = [0, \"1/10\", \"1/2\", 1, \"infinite\"]"),
];

const OUTLIER: &str = "kind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1\ndelta = \"1e-6\"";
const BLENDING: &str = "kind = \"crowd-blending\"\ncrowd = 20\nepsilon = \"1/2\"";
const SIMPLE: &str = "kind = \"simple-outlier\"\ngroup = 10\nepsilon = 1";
const STAIRS: &str = "kind = \"staircase\"\nthresholds = [20, 5]\nepsilons = [2, 1, \"1/2\"]\ndelta = \"1e-6\"";
const PLAIN: &str = "kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"";
/// The notes' mechanism has its own curve: it meets a weaker one.
const FADING: &str = "kind = \"fading\"\ngroup = 20\nwidth = 4\nepsilon = 1\nfactor = 4\ndelta = \"1e-6\"";

/// A mechanism under a promise that it meets.
pub struct Case {
    /// What it is called on a page.
    pub title: &'static str,
    /// The group size at which it changes, to look around.
    pub turns_at: u64,
    promise: &'static str,
    mechanism: &'static str,
}

impl Case {
    /// The request.
    pub fn request(&self) -> String {
        promising(self.promise, &format!("\n[mechanism]\n{}\n", self.mechanism))
    }

    /// The mechanism's name.
    pub fn name(&self) -> &'static str {
        self.mechanism.split('"').nth(1).expect("a name in quotes")
    }
}

const fn case(title: &'static str, turns_at: u64, promise: &'static str, mechanism: &'static str) -> Case {
    Case { title, turns_at, promise, mechanism }
}

/// Every mechanism, with its variants.
pub const MECHANISMS: [Case; 19] = [
    case("tailored geometric", 10, OUTLIER, "name = \"tailored-geometric\""),
    case("tailored geometric with a threshold", 15, OUTLIER, "name = \"tailored-geometric\"\nthreshold = 15"),
    case("relay", 20, OUTLIER, "name = \"relay\""),
    case("suppress below", 20, BLENDING, "name = \"suppress-below\""),
    case("noise below", 20, BLENDING, "name = \"noise-below\""),
    case("suppress up to", 10, SIMPLE, "name = \"suppress-up-to\""),
    case("noise up to", 10, SIMPLE, "name = \"noise-up-to\""),
    case("geometric", 10, PLAIN, "name = \"geometric\""),
    case("group geometric", 10, "kind = \"group\"\ngroup = 10\nepsilon = 1", "name = \"group-geometric\""),
    case("noisy suppress", 23, OUTLIER, "name = \"noisy-suppress\""),
    case("noisy noise", 23, OUTLIER, "name = \"noisy-noise\""),
    case("noisy noise by the theorem", 24, OUTLIER, "name = \"noisy-noise\"\naccounting = \"theorem\""),
    case("staircase", 20, STAIRS, "name = \"staircase\""),
    case("staircase with published levels", 20, STAIRS, "name = \"staircase\"\npublish-levels = true"),
    case("general", 20, STAIRS, "name = \"general\"\nepsilon-a = \"1/4\"\ngrid = \"1/10\"\nalpha = 20"),
    case(
        "general with published epsilon",
        20,
        STAIRS,
        "name = \"general\"\nepsilon-a = \"1/4\"\ngrid = \"1/10\"\nalpha = 20\npublish-epsilon = true",
    ),
    case("fading", 20, FADING, "name = \"fading\"\nfactor = 1"),
    case("threshold", 15, PLAIN, "name = \"threshold\""),
    case("range", 14, PLAIN, "name = \"range\""),
];
